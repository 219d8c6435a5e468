#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

#include "harness/emu/decode_table.h"
#include "harness/emu/tests/oracle.h"

enum {
    GENERALS = 32, /* X0-X30, SP */
    VECTORS = 32,
    REGISTERS = GENERALS + VECTORS + 1, /* and NZCV: numbered as in decode.h */
    STATES = 12,                        /* tried for each instruction */
    MORE_STATES = 400,                  /* while something that should be seen has not been */
    STRIDE = 64,                        /* of code; each instruction has a place of its own */
    PLACES = 8192,
    PAGE = 0x10000,
    PAGES = 300,
    ACCESSES = 80,
};
#define CODE      UINT64_C(0x500000000)
#define REACH     UINT64_C(0x8000000) /* of a branch */
#define DATA      UINT64_C(0x20000000)
#define DATA_SIZE UINT64_C(0x100000)

struct value {
    uint64_t low, high;
};

struct state {
    struct value registers[REGISTERS];
};

struct access {
    bool write;
    uint64_t address, value;
    unsigned size;
};

struct result {
    struct state state;
    uint64_t pc;
    struct access accesses[ACCESSES];
    unsigned count;
    bool undefined, failed;
};

struct oracle {
    uc_engine *uc;
    unsigned place, pages;
    uint64_t random;
    uint64_t after_exclusive; /* a store exclusive, with the load that has to come before it beside it */
    struct result *running;
};

static uint64_t next_random(uint64_t *random)
{
    uint64_t x = *random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* What memory holds: a function of the address, so that another address shows in what is loaded. */
static void fill(uc_engine *uc, uint64_t address, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint64_t at = address + i, seed = at & ~UINT64_C(7);
        uint8_t byte = (uint8_t)(next_random(&seed) >> at % 8 * 8);
        uc_mem_write(uc, at, &byte, 1);
    }
}

static void map_page(struct oracle *oracle, uint64_t address)
{
    static uint64_t contents[PAGE / 8];
    uint64_t page = address & ~(uint64_t)(PAGE - 1);
    for (size_t i = 0; i < PAGE / 8; i++) {
        uint64_t seed = page + 8 * i;
        contents[i] = next_random(&seed);
    }
    if (uc_mem_map(oracle->uc, page, PAGE, UC_PROT_READ | UC_PROT_WRITE) == UC_ERR_OK)
        uc_mem_write(oracle->uc, page, contents, PAGE);
    oracle->pages++;
}

static bool on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                        void *context)
{
    (void)uc, (void)type, (void)size, (void)value;
    struct oracle *oracle = context;
    if (oracle->pages >= 2 * PAGES || address > UINT64_MAX - 2 * PAGE)
        return false; /* addresses do not wrap around */
    map_page(oracle, address);
    map_page(oracle, address + (uint64_t)size - 1);
    return true;
}

static void on_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *context)
{
    (void)uc;
    struct result *result = ((struct oracle *)context)->running;
    if (result->count == ACCESSES)
        return;
    bool write = type == UC_MEM_WRITE;
    result->accesses[result->count++] =
        (struct access){write, address, write ? (uint64_t)value : 0, (unsigned)size};
}

static void on_interrupt(uc_engine *uc, uint32_t number, void *context)
{
    (void)number;
    ((struct oracle *)context)->running->undefined = true;
    uc_emu_stop(uc);
}

static int register_ids[REGISTERS + 1];

static void list_registers(void)
{
    for (int i = 0; i < 29; i++)
        register_ids[i] = UC_ARM64_REG_X0 + i;
    register_ids[29] = UC_ARM64_REG_X29;
    register_ids[30] = UC_ARM64_REG_X30;
    register_ids[REG_SP] = UC_ARM64_REG_SP;
    for (int i = 0; i < VECTORS; i++)
        register_ids[REG_V0 + i] = UC_ARM64_REG_Q0 + i;
    register_ids[REG_NZCV] = UC_ARM64_REG_NZCV;
    register_ids[REGISTERS] = UC_ARM64_REG_PC;
}

static bool engine_open(struct oracle *oracle)
{
    uc_hook hook;
    if (uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &oracle->uc) != UC_ERR_OK)
        return false;
    oracle->place = oracle->pages = 0;
    bool opened =
        uc_ctl_set_cpu_model(oracle->uc, UC_CPU_ARM64_MAX) == UC_ERR_OK &&
        uc_mem_map(oracle->uc, CODE - REACH, 2 * REACH + PLACES * STRIDE, UC_PROT_ALL) == UC_ERR_OK &&
        uc_hook_add(oracle->uc, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)on_access, oracle, 1,
                    0) == UC_ERR_OK &&
        uc_hook_add(oracle->uc, &hook, UC_HOOK_MEM_READ_UNMAPPED | UC_HOOK_MEM_WRITE_UNMAPPED,
                    (void *)on_unmapped, oracle, 1, 0) == UC_ERR_OK &&
        uc_hook_add(oracle->uc, &hook, UC_HOOK_INTR, (void *)on_interrupt, oracle, 1, 0) == UC_ERR_OK;
    for (uint64_t page = DATA; opened && page < DATA + DATA_SIZE; page += PAGE)
        map_page(oracle, page);
    return opened;
}

struct oracle *oracle_open(void)
{
    struct oracle *oracle = calloc(1, sizeof *oracle);
    list_registers();
    if (oracle && !engine_open(oracle)) {
        oracle_close(oracle);
        return NULL;
    }
    return oracle;
}

void oracle_close(struct oracle *oracle)
{
    if (oracle && oracle->uc)
        uc_close(oracle->uc);
    free(oracle);
}

/* A fresh engine when the old one's memory is full of code or pages, or an exception has changed its state.
 */
static void engine_renew(struct oracle *oracle)
{
    uc_close(oracle->uc);
    oracle->uc = NULL;
    if (!engine_open(oracle))
        abort();
}

static void load_state(struct oracle *oracle, struct state *state)
{
    void *values[REGISTERS];
    for (int i = 0; i < REGISTERS; i++)
        values[i] = &state->registers[i];
    uc_reg_write_batch(oracle->uc, register_ids, values, REGISTERS);
}

static void run(struct oracle *oracle, uint64_t at, const struct state *state, struct result *result)
{
    void *values[REGISTERS + 1];
    memset(result, 0, sizeof *result);
    result->state = *state;
    oracle->running = result;
    load_state(oracle, &result->state);
    bool exclusive = at == oracle->after_exclusive;
    uc_err error = uc_emu_start(oracle->uc, exclusive ? at - 4 : at, 0, 0, exclusive ? 2 : 1);
    for (int i = 0; i < REGISTERS; i++)
        values[i] = &result->state.registers[i];
    values[REGISTERS] = &result->pc;
    uc_reg_read_batch(oracle->uc, register_ids, values, REGISTERS + 1);
    if (error == UC_ERR_EXCEPTION || error == UC_ERR_INSN_INVALID)
        result->undefined = true;
    else if (error != UC_ERR_OK && error != UC_ERR_FETCH_UNMAPPED && error != UC_ERR_FETCH_PROT)
        result->failed = true;
    for (unsigned i = 0; i < result->count; i++)
        if (result->accesses[i].write)
            fill(oracle->uc, result->accesses[i].address, result->accesses[i].size);
}

/* Numbers of one kind for a whole state, so that they have something to say to each other. */
enum kind { KIND_POINTERS, KIND_MIXED, KIND_TINY, KIND_BITS, KIND_DOUBLES, KIND_FLOATS, KIND_HALVES, KINDS };

static uint64_t pointer(uint64_t *random)
{
    return DATA + (next_random(random) & (DATA_SIZE - 1) & ~UINT64_C(63));
}

static uint64_t general_value(uint64_t *random, enum kind kind)
{
    uint64_t bits = next_random(random), choice = next_random(random) % 8;
    switch (kind) {
    case KIND_TINY:
        return choice < 3 ? 0 : choice < 6 ? bits % 4 : ~(bits % 3);
    case KIND_BITS:
        return bits;
    case KIND_MIXED:
        return choice < 3 ? pointer(random) : choice < 6 ? bits % 4096 & ~UINT64_C(15) : bits >> 32;
    default:
        return pointer(random);
    }
}

static uint64_t vector_half(uint64_t *random, enum kind kind)
{
    uint64_t bits = next_random(random), result = 0;
    switch (kind) {
    case KIND_TINY:
        if (bits % 2 == 0)
            return UINT64_C(0x0101010101010101) * (bits >> 8 & 1); /* equal ones, too */
        for (int i = 0; i < 64; i += 8)
            result |= (uint64_t)(next_random(random) % 40) << i;
        return result;
    case KIND_DOUBLES: {
        double number = (double)(int64_t)(bits % 2001 - 1000) / 8;
        memcpy(&result, &number, sizeof number);
        return result;
    }
    case KIND_FLOATS: {
        float numbers[2] = {(float)((int)(bits % 2001) - 1000) / 8,
                            (float)((int)((bits >> 32) % 2001) - 1000) / 8};
        memcpy(&result, numbers, sizeof numbers);
        return result;
    }
    case KIND_HALVES: /* signs, and exponents about 1 */
        for (int i = 0; i < 64; i += 16)
            result |= ((next_random(random) & 0x8fff) | (0x3000 + next_random(random) % 4 * 0x400)) << i;
        return result;
    default:
        return bits;
    }
}

static struct value register_value(uint64_t *random, unsigned number, enum kind kind)
{
    if (number < REG_SP)
        return (struct value){general_value(random, kind), 0};
    if (number == REG_SP)
        return (struct value){pointer(random), 0};
    if (number == REG_NZCV)
        return (struct value){next_random(random) & UINT64_C(0xf0000000), 0};
    return (struct value){vector_half(random, kind), vector_half(random, kind)};
}

static bool same_value(struct value a, struct value b)
{
    return a.low == b.low && a.high == b.high;
}

static bool contains(const uint8_t *list, unsigned count, unsigned number)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

/* Two runs from states that differ in some registers had the same effects. Registers outside `written` kept
 * what they had, so they are left out. */
static bool same_effects(const struct result *a, const struct result *b, const bool *written)
{
    if (a->pc != b->pc || a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (memcmp(&a->accesses[i], &b->accesses[i], sizeof a->accesses[i]) != 0)
            return false;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (written[r] && !same_value(a->state.registers[r], b->state.registers[r]))
            return false;
    return true;
}

/* What is seen of an instruction over all its states. */
struct seen {
    bool read[REGISTERS], written[REGISTERS], moves_address[REGISTERS];
    bool taken, not_taken, any;
};

struct problem {
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void complain(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    if (problem->length >= problem->size || (problem->length && strstr(problem->text, format)))
        return;
    va_start(arguments, format);
    int length =
        vsnprintf(problem->text + problem->length, problem->size - problem->length, format, arguments);
    va_end(arguments);
    problem->length += length > 0 ? (size_t)length : 0;
}

static bool is_store_exclusive(const struct op *op)
{
    return op->op_class == OP_EXCLUSIVE && op->memory == OP_MEMORY_STORE;
}

static void check_accesses(const struct decoded *decoded, const struct state *before,
                           const struct result *result, struct problem *problem)
{
    bool read = false, write = false;
    uint64_t first = UINT64_MAX, end = 0;
    for (unsigned i = 0; i < result->count; i++) {
        const struct access *access = &result->accesses[i];
        *(access->write ? &write : &read) = true;
        if (access->address < first)
            first = access->address;
        if (access->address + access->size > end)
            end = access->address + access->size;
    }
    const struct op *op = &decoded->op;
    bool reads = op->memory == OP_MEMORY_LOAD || op->memory == OP_MEMORY_UPDATE || is_store_exclusive(op);
    bool writes = op->memory == OP_MEMORY_STORE || op->memory == OP_MEMORY_UPDATE;
    if (read != reads || write != writes)
        complain(problem, "memory is %s%s; ", read ? "read " : "", write ? "written " : "");
    if (!result->count)
        return;
    uint64_t registers[32];
    for (int i = 0; i < GENERALS; i++)
        registers[i] = before->registers[i].low;
    uint64_t address = decode_access_address(decoded, registers);
    if ((address ^ (address + op->bytes - 1)) & ~UINT64_C(0x3ff))
        return; /* accesses across a page come with spurious ones */
    if (address != first)
        complain(problem, "an access is at %#llx, not %#llx; ", (unsigned long long)first,
                 (unsigned long long)address);
    else if (end - first != op->bytes)
        complain(problem, "%llu bytes are moved, not %u; ", (unsigned long long)(end - first), op->bytes);
}

static void check_branch(const struct decoded *decoded, const struct state *before,
                         const struct result *result, struct seen *seen, struct problem *problem)
{
    uint64_t next = decoded->op.address + 4, to = decoded->target;
    switch (decoded->op.branch) {
    case OP_NO_BRANCH:
        to = next;
        break;
    case OP_CONDITIONAL:
        *(result->pc == to ? &seen->taken : &seen->not_taken) = true;
        if (result->pc == next)
            return;
        break;
    case OP_CALL_INDIRECT:
    case OP_JUMP_INDIRECT:
    case OP_RETURN:
        to = decoded->op.read_count ? before->registers[decoded->op.reads[0]].low : 0;
        break;
    default:
        break;
    }
    if (result->pc != to)
        complain(problem, "the next instruction is at %#llx, not %#llx; ", (unsigned long long)result->pc,
                 (unsigned long long)to);
}

/* One state: what the instruction writes; that nothing else than what it reads matters; that what it reads
 * does. False: this state cannot be used. */
static bool try_state(struct oracle *oracle, const struct decoded *decoded, enum kind kind, struct seen *seen,
                      struct problem *problem)
{
    const struct op *op = &decoded->op;
    struct state state, other;
    struct result base, changed;
    for (unsigned r = 0; r < REGISTERS; r++)
        state.registers[r] = register_value(&oracle->random, r, kind);
    run(oracle, op->address, &state, &base);
    if (op->op_class == OP_ATOMIC && !base.failed && oracle->random & 1) {
        /* With what it found: a comparison then succeeds. */
        for (unsigned r = 0; r < GENERALS; r++)
            state.registers[r] = base.state.registers[r];
        run(oracle, op->address, &state, &base);
    }
    if (base.undefined || base.failed)
        return false;
    seen->any = true;
    bool written[REGISTERS] = {false};
    for (unsigned r = 0; r < REGISTERS; r++) {
        written[r] = contains(op->writes, op->write_count, r);
        if (same_value(base.state.registers[r], state.registers[r]))
            continue;
        if (!written[r])
            complain(problem, "%s is written; ", decode_register_name(r));
        seen->written[r] = true;
    }
    check_accesses(decoded, &state, &base, problem);
    check_branch(decoded, &state, &base, seen, problem);

    other = state;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (!contains(op->reads, op->read_count, r))
            other.registers[r] = register_value(&oracle->random, r, kind);
    run(oracle, op->address, &other, &changed);
    if (!same_effects(&base, &changed, written))
        for (unsigned r = 0; r < REGISTERS; r++) {
            struct state one = state;
            one.registers[r] = other.registers[r];
            run(oracle, op->address, &one, &changed);
            if (!contains(op->reads, op->read_count, r) && !same_effects(&base, &changed, written))
                complain(problem, "%s is read; ", decode_register_name(r));
        }

    for (unsigned i = 0; i < op->read_count; i++) {
        unsigned r = op->reads[i];
        if (r >= REGISTERS)
            continue;
        if (seen->read[r] && (seen->moves_address[r] || !op->memory))
            continue;
        other = state;
        other.registers[r] = register_value(&oracle->random, r, kind);
        run(oracle, op->address, &other, &changed);
        if (changed.undefined || changed.failed)
            continue;
        seen->read[r] = seen->read[r] || !same_effects(&base, &changed, written);
        if (base.count && changed.count && base.accesses[0].address != changed.accesses[0].address)
            seen->moves_address[r] = true;
    }
    return true;
}

/* Everything that the decoder says has been seen. */
static bool complete(const struct decoded *decoded, const struct seen *seen, struct problem *problem)
{
    const struct op *op = &decoded->op;
    size_t length = problem->length;
    for (unsigned i = 0; i < op->read_count; i++) {
        unsigned r = op->reads[i];
        if (op->memory == OP_MEMORY_PREFETCH)
            break; /* has no effect that could be seen */
        if (r >= REGISTERS)
            continue;
        if (!seen->read[r])
            complain(problem, "%s is not read; ", decode_register_name(r));
        bool in_address = false;
        for (unsigned j = 0; j < op->read_count; j++)
            in_address = in_address || (op->reads[j] == r && op->address_reads >> j & 1);
        if (op->memory && in_address != seen->moves_address[r])
            complain(problem, "%s is%s part of the address; ", decode_register_name(r),
                     in_address ? " not" : "");
    }
    for (unsigned i = 0; i < op->write_count; i++)
        if (op->writes[i] < REGISTERS && !seen->written[op->writes[i]]) /* a monitor cannot be looked at */
            complain(problem, "%s is not written; ", decode_register_name(op->writes[i]));
    if (op->branch == OP_CONDITIONAL && !(seen->taken && seen->not_taken))
        complain(problem, "it never goes %s; ", seen->taken ? "on" : "to its target");
    if (op->base_write != OP_NONE && op->writes[op->base_write] != decoded->base)
        complain(problem, "what is moved on is no base; ");
    return problem->length == length;
}

/* x0 - x0 reads nothing that could be seen, nor does "and" with XZR, a rounding shift by a whole lane or a
 * branch to where execution goes anyway; x0 + 0 writes nothing. */
static bool may_hide(uint32_t word, const struct decoded *decoded)
{
    const struct op *op = &decoded->op;
    for (unsigned i = 0; i < op->read_count; i++)
        for (unsigned j = 0; j < i; j++)
            if (op->reads[i] == op->reads[j])
                return true;
    for (unsigned i = 0; i < op->write_count; i++)
        if (contains(op->reads, op->read_count, op->writes[i]))
            return true;
    unsigned shift = decode_field(word, 22, 16); /* immh:immb of a vector shift; 2^n is a whole lane */
    if ((word & 0x8f800400) == 0x0f000400 && (shift & (shift - 1)) == 0)
        return true;
    if ((word & 0xbfe0fc00) == 0x2e000000) /* EXT from byte 0 on is the first vector */
        return true;
    if ((word & 0x7fa0fc00) == 0x13800000) /* EXTR from bit 0 on is the second register */
        return true;
    if (op->branch == OP_CONDITIONAL && decoded->target == op->address + 4)
        return true;
    bool zero = (word & 0x1f) == 31 || (word >> 5 & 0x1f) == 31 || (word >> 16 & 0x1f) == 31;
    return zero || contains(op->reads, op->read_count, REG_NZCV);
}

static uint64_t place(struct oracle *oracle, uint32_t word)
{
    if (oracle->place == PLACES || oracle->pages >= PAGES)
        engine_renew(oracle);
    uint64_t address = CODE + STRIDE / 2 + (uint64_t)STRIDE * oracle->place++;
    uc_mem_write(oracle->uc, address, &word, sizeof word);
    /* A branch may have led here before. */
    uc_ctl_remove_cache(oracle->uc, address - 4, address + STRIDE / 2);
    return address;
}

/* Where it is to be executed, and what has to be beside it. False: there is nothing to execute. */
static bool prepare(struct oracle *oracle, uint32_t word, struct decoded *decoded)
{
    decode(word, 0, decoded);
    if (decoded->verdict != DECODE_OK || decoded->system)
        return false;
    decode(word, place(oracle, word), decoded);
    oracle->after_exclusive = 0;
    if (is_store_exclusive(&decoded->op)) { /* the same as a load, into nothing */
        uint32_t load = word | 0x5f7c1f;
        oracle->after_exclusive = decoded->op.address;
        uc_mem_write(oracle->uc, decoded->op.address - 4, &load, sizeof load);
    }
    oracle->random = word;
    return true;
}

static enum oracle_verdict check(struct oracle *oracle, uint32_t word, char *text, size_t size)
{
    struct problem wrong = {text, size, 0};
    struct seen seen = {0};
    struct decoded decoded;
    text[0] = '\0';
    if (!prepare(oracle, word, &decoded))
        return ORACLE_NOT_RUN;
    for (int i = 0; i < MORE_STATES; i++) {
        struct problem missing = {text, size, 0};
        if (i >= STATES && complete(&decoded, &seen, &missing))
            break;
        try_state(oracle, &decoded, (enum kind)(i % KINDS), &seen, &wrong);
        if (wrong.length)
            return ORACLE_WRONG;
        if (i == STATES && !seen.any)
            return ORACLE_UNDEFINED;
        if (oracle->pages >= PAGES)
            decode(word, place(oracle, word), &decoded);
    }
    text[0] = '\0';
    if (complete(&decoded, &seen, &wrong))
        return ORACLE_RIGHT;
    return may_hide(word, &decoded) ? ORACLE_UNPROVEN : ORACLE_WRONG;
}

enum oracle_verdict oracle_check(struct oracle *oracle, uint32_t word, char *text, size_t size)
{
    enum oracle_verdict verdict = check(oracle, word, text, size);
    if (verdict != ORACLE_WRONG && verdict != ORACLE_UNDEFINED)
        return verdict;
    /* Is it an earlier instruction that has left its traces in the emulator? */
    engine_renew(oracle);
    verdict = check(oracle, word, text, size);
    engine_renew(oracle);
    return verdict;
}

/* Two runs stored the same. */
static bool same_stores(const struct result *a, const struct result *b)
{
    for (unsigned i = 0; i < a->count && i < b->count; i++)
        if (a->accesses[i].write && b->accesses[i].write &&
            (a->accesses[i].value != b->accesses[i].value ||
             a->accesses[i].address != b->accesses[i].address))
            return false;
    return a->count == b->count;
}

void oracle_flows(struct oracle *oracle, uint32_t word, uint8_t flows[ORACLE_FLOWS])
{
    struct state state, other;
    struct result base, changed;
    struct decoded decoded;
    const struct op *op = &decoded.op;
    memset(flows, 0, ORACLE_FLOWS);
    for (int i = 0; i < STATES && prepare(oracle, word, &decoded); i++) {
        oracle->random = word + (uint64_t)i;
        for (unsigned r = 0; r < REGISTERS; r++)
            state.registers[r] = register_value(&oracle->random, r, (enum kind)(i % KINDS));
        run(oracle, op->address, &state, &base);
        for (unsigned n = 0; n < op->read_count && !base.undefined && !base.failed; n++) {
            if (op->reads[n] >= REGISTERS)
                continue;
            other = state;
            other.registers[op->reads[n]] =
                register_value(&oracle->random, op->reads[n], (enum kind)(i % KINDS));
            run(oracle, op->address, &other, &changed);
            if (changed.undefined || changed.failed)
                continue;
            for (unsigned w = 0; w < op->write_count; w++)
                if (op->writes[w] < REGISTERS &&
                    !same_value(base.state.registers[op->writes[w]], changed.state.registers[op->writes[w]]))
                    flows[w] |= (uint8_t)(1U << n);
            if (op->memory & OP_MEMORY_STORE && !same_stores(&base, &changed))
                flows[ORACLE_STORED] |= (uint8_t)(1U << n);
        }
    }
}

bool oracle_executes(struct oracle *oracle, uint32_t word)
{
    struct result result;
    struct state state;
    oracle->random = word;
    for (unsigned r = 0; r < REGISTERS; r++)
        state.registers[r] = register_value(&oracle->random, r, KIND_POINTERS);
    run(oracle, place(oracle, word), &state, &result);
    if (result.failed)
        engine_renew(oracle);
    return !result.undefined && !result.failed;
}
