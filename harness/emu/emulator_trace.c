/* Following the execution. A hook before each instruction only compares: as long as they follow each other in
 * memory there is nothing to do. At a jump the instructions since the last one are noted, with the addresses
 * of their accesses, for the model. So what was executed is known exactly, however the emulator cuts code
 * into blocks. */
#include "harness/emu/emulator_internal.h"
#include "harness/runner/target/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool trace_is_code(const struct emulator *emulator, uint64_t address)
{
    return trace_index(emulator, address) < emulator->image.count && address % 4 == 0 &&
           emulator->image.places[trace_index(emulator, address)] != IMAGE_NO_CODE;
}

struct emulator_run *trace_stop(struct emulator *emulator, enum emulator_outcome outcome, uint64_t pc)
{
    static struct emulator_run ignored;
    uc_emu_stop(emulator->uc);
    if (emulator->stopped)
        return &ignored;
    emulator->stopped = true;
    emulator->run->outcome = outcome;
    emulator->run->pc = pc;
    if (trace_is_code(emulator, pc))
        emulator->run->word = emulator->image.words[trace_index(emulator, pc)];
    uc_reg_read(emulator->uc, UC_ARM64_REG_SP, &emulator->run->sp);
    uc_reg_read(emulator->uc, UC_ARM64_REG_X30, &emulator->run->link);
    return emulator->run;
}

uint64_t trace_general(const struct emulator *emulator, unsigned number, bool stack_pointer)
{
    uint64_t value = 0;
    int reg = number < 29    ? UC_ARM64_REG_X0 + (int)number
              : number == 29 ? UC_ARM64_REG_X29
              : number == 30 ? UC_ARM64_REG_X30
                             : UC_ARM64_REG_SP;
    if (number < 31 || stack_pointer)
        uc_reg_read(emulator->uc, reg, &value);
    return value;
}

void trace_set_general(const struct emulator *emulator, unsigned number, uint64_t value)
{
    int reg = number < 29    ? UC_ARM64_REG_X0 + (int)number
              : number == 29 ? UC_ARM64_REG_X29
                             : UC_ARM64_REG_X30;
    if (number < 31)
        uc_reg_write(emulator->uc, reg, &value);
}

/* ---- handing over ---- */

void trace_hand_over(struct emulator *emulator)
{
    uint32_t astray = feed_all(emulator);
    if (astray == FEED_NONE)
        return;
    uint64_t pc = emulator->image.code + 4 * (uint64_t)astray;
    struct emulator_run *run = trace_stop(emulator, EMULATOR_ERROR, pc);
    snprintf(run->name, sizeof run->name,
             "the decoder's memory accesses from 0x%" PRIx64 " on are not those that were made", pc);
}

void trace_end_run(struct emulator *emulator, uint64_t next)
{
    uint64_t count = (emulator->expected - emulator->run_start) / 4;
    uint64_t first = trace_index(emulator, emulator->run_start);
    emulator->instructions += count;
    if (count > 0) {
        emulator->charged += emulator->costs[first + count] - emulator->costs[first];
        if (emulator->arrivals)
            emulator->arrivals[first]++;
    }
    emulator->accessed = 0;
    if (emulator->model && count > 0)
        feed_add(emulator, (uint32_t)first, (uint32_t)count, next);
    emulator->run_start = emulator->expected;
}

/* ---- lines that are read ---- */

static void note_line(struct emulator *emulator, uint64_t address, enum line_use use)
{
    if (address - ARENA_BASE < ARENA_SIZE)
        emulator->read[(address - ARENA_BASE) >> LINE_SHIFT] |= (uint8_t)use;
}

/* ---- instructions that need attention ---- */

static void refuse(struct emulator *emulator, uint64_t pc)
{
    static const struct {
        unsigned feature;
        const char *name;
    } features[] = {
#define FEATURE_TITLE(feature, bit, text, title) {FEATURE_##feature, title},
        DECODE_FEATURES(FEATURE_TITLE)
#undef FEATURE_TITLE
    };
    struct decoded decoded;
    uint64_t i = trace_index(emulator, pc);
    if (emulator->image.places[i] == IMAGE_RUNNER) {
        jumps_escaped(emulator, pc, pc, "into the runner");
        return;
    }
    decode(emulator->image.words[i], pc, &decoded);
    bool syscall = (emulator->image.words[i] & 0xffe0001c) == 0xd4000000; /* svc, hvc, smc */
    struct emulator_run *run = trace_stop(emulator,
                                          syscall                             ? EMULATOR_SYSCALL
                                          : decoded.verdict == DECODE_UNKNOWN ? EMULATOR_UNKNOWN
                                                                              : EMULATOR_FORBIDDEN,
                                          pc);
    snprintf(run->name, sizeof run->name, "%s", decoded.name ? decoded.name : "");
    for (size_t f = 0; decoded.verdict == DECODE_OK && f < sizeof features / sizeof *features; f++) {
        if (decoded.feature & ~emulator->config.features & features[f].feature)
            snprintf(run->name, sizeof run->name, "%s (%s, which %s lacks)", decoded.name, features[f].name,
                     emulator->config.core ? emulator->config.core->name : "the core");
    }
}

/* Where an access that is not told, or may not happen, begins. */
static uint64_t access_address(const struct emulator *emulator, uint64_t i)
{
    const struct decoded *decoded = &emulator->lookups[emulator->lookup_of[i]];
    uint64_t registers[32];
    if (decoded->base != OP_NONE)
        registers[decoded->base] = trace_general(emulator, decoded->base, true);
    if (decoded->index != OP_NONE)
        registers[decoded->index] = trace_general(emulator, decoded->index, false);
    return decode_access_address(decoded, registers);
}

static unsigned quotient_bits(const struct emulator *emulator, uint32_t word)
{
    return decode_quotient_bits(word, trace_general(emulator, word >> 5 & 31, false),
                                trace_general(emulator, word >> 16 & 31, false));
}

static bool accesses_through_stack_pointer(const struct op *op)
{
    if (op->memory == OP_NO_MEMORY || op->memory == OP_MEMORY_PREFETCH)
        return false;
    for (unsigned i = 0; i < op->read_count; i++)
        if (op->reads[i] == REG_SP && op->address_reads >> i & 1)
            return true;
    return false;
}

/* Hardware faults at an access through an SP that is no multiple of 16; QEMU does not. While it is none, each
 * instruction comes by here. */
static void watch_stack(struct emulator *emulator, uint64_t i, uint64_t address)
{
    struct decoded decoded;
    emulator->askew = trace_general(emulator, REG_SP, true) % 16 != 0;
    if (!emulator->askew)
        return;
    emulator->attention = emulator->expected;
    if (!accesses_through_stack_pointer(&emulator->ops[i]))
        return;
    decode(emulator->image.words[i], address, &decoded);
    struct emulator_run *run = trace_stop(emulator, EMULATOR_STACK, address);
    snprintf(run->name, sizeof run->name, "%s", decoded.name);
}

bool trace_passes(struct emulator *emulator, uint64_t address)
{
    struct decoded decoded;
    uint64_t i = trace_index(emulator, address);
    decode(emulator->image.words[i], address, &decoded);
    if (decoded.verdict == DECODE_OK && emulator->image.places[i] != IMAGE_RUNNER)
        return true;
    refuse(emulator, address);
    return false;
}

/* Who has marked which line, where there are two cores. Behind what changes memory at once the turn is over:
 * the other core may have waited for the line. */
static void on_shared(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *context)
{
    struct emulator *emulator = context, *other = emulator->other;
    uint64_t first = address >> LINE_SHIFT, last = (address + (unsigned)size - 1) >> LINE_SHIFT;
    (void)uc;
    (void)value;
    if (!other)
        return;
    unsigned op_class = emulator->ops[trace_index(emulator, emulator->expected - 4)].op_class;
    if (type == UC_MEM_WRITE && (other->marked == first || other->marked == last))
        other->marked = NOWHERE;
    if (type == UC_MEM_READ && op_class == OP_EXCLUSIVE)
        emulator->marked = first;
    if (type == UC_MEM_WRITE && (op_class == OP_EXCLUSIVE || op_class == OP_ATOMIC)) {
        emulator->turn = emulator->instructions + (emulator->expected - emulator->run_start) / 4;
        emulator->attention = emulator->expected;
    }
}

/* DC ZVA writes a line, and where memory is plain memory Unicorn has no hook for that (emulator_map.c). */
static void tell_of_block(struct emulator *emulator, uint64_t address)
{
    enum { BLOCK = 64 };
    if (emulator->config.guards)
        system_guard(emulator->uc, UC_MEM_WRITE, address, BLOCK, 0, emulator);
    on_shared(emulator->uc, UC_MEM_WRITE, address, BLOCK, 0, emulator);
}

static void attend(struct emulator *emulator, uint64_t i, uint64_t address)
{
    unsigned attention = emulator->attentions[i];
    if (attention & ATTENTION_REFUSE)
        refuse(emulator, address);
    if (attention & ATTENTION_STACK || emulator->askew)
        watch_stack(emulator, i, address);
    if (attention & ATTENTION_LEVEL && !emulator->stopped)
        system_step(emulator, address);
    if (attention & ATTENTION_COUNTER && !emulator->stopped)
        system_answer(emulator, address);
    const bool may_fail = emulator->other && is_store_exclusive(&emulator->ops[i]);
    if (attention & ATTENTION_ADDRESS && emulator->lookups[emulator->lookup_of[i]].block)
        tell_of_block(emulator, access_address(emulator, i));
    if (!emulator->model && !may_fail)
        return;
    if (attention & ATTENTION_QUOTIENT)
        *emulator->cursor++ = quotient_bits(emulator, emulator->image.words[i]);
    if (attention & ATTENTION_ADDRESS) {
        uint64_t accessed = access_address(emulator, i);
        if (may_fail)
            accessed = calls_store_exclusive(emulator, address, accessed);
        if (!emulator->model) /* nobody takes what it is told, so there would be no end of it */
            return;
        if (emulator->read && emulator->ops[i].memory == OP_MEMORY_PREFETCH)
            note_line(emulator, accessed, LINE_ASKED_FOR);
        *emulator->cursor++ = accessed;
        emulator->accessed = address + 4;
    }
}

/* ---- hooks ---- */

enum { LOOK_EVERY = 1 << 16 };

/* Is it more than may be? The CPU time is asked for now and then. */
static bool is_over(struct emulator *emulator, uint64_t address)
{
    const uint64_t all = trace_spent(emulator);
    if (all <= emulator->most && all < emulator->look)
        return false;
    emulator->look = all + LOOK_EVERY;
    if (all > emulator->most)
        trace_stop(emulator, EMULATOR_BUDGET, address);
    else if (emulator->config.seconds > 0 && schedule_own_ns() >= emulator->until)
        trace_stop(emulator, EMULATOR_TIME, address);
    return emulator->stopped;
}

/* The instruction at `address`, after a jump or needing attention, is about to be executed. */
static void __attribute__((noinline)) step(struct emulator *emulator, uint64_t address)
{
    if (emulator->stopped) {
        uc_emu_stop(emulator->uc);
        return;
    }
    const bool looked_at = emulator->landing == address;
    if (looked_at)
        emulator->landing = NOWHERE;
    if (address != emulator->expected) {
        uint64_t from = emulator->expected - 4;
        trace_end_run(emulator, address);
        if (!looked_at && emulator->known[trace_index(emulator, from)] != address &&
            !jumps_may_jump(emulator, from, address))
            return;
        if (emulator->stopped)
            return;
        if (is_over(emulator, address))
            return;
        emulator->run_start = emulator->expected = address;
    } else if (!trace_is_code(emulator, address)) {
        trace_stop(emulator, EMULATOR_FAULT, address - 4)->address = address;
        return;
    } else if (!looked_at && !jumps_may_fall(emulator, address)) {
        return;
    }
    uint64_t i = trace_index(emulator, address);
    if (emulator->config.levels && system_interrupt(emulator, address))
        return;
    if (emulator->other && calls_turn_ends(emulator, address))
        return;
    emulator->expected = address + 4;
    emulator->attention = emulator->image.code + 4 * (uint64_t)emulator->next_attention[i + 1];
    if (emulator->other) {
        uint64_t end = emulator->run_start + 4 * (emulator->turn - emulator->instructions);
        emulator->attention = end < emulator->attention ? end : emulator->attention;
    }
    attend(emulator, i, address);
}

static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *context)
{
    struct emulator *emulator = context;
    (void)uc;
    (void)size;
    if (address == emulator->expected && address != emulator->attention)
        emulator->expected = address + 4;
    else
        step(emulator, address);
}

/* The first access of an instruction: those of more registers follow it, and one across pages is made again
 * in two parts. */
static void on_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *context)
{
    struct emulator *emulator = context;
    (void)uc;
    (void)value;
    if (emulator->accessed != emulator->expected) {
        emulator->accessed = emulator->expected;
        *emulator->cursor++ = address;
        if (emulator->loads && type == UC_MEM_READ)
            reads_note_load(emulator, address,
                            emulator->ops[trace_index(emulator, emulator->expected - 4)].bytes);
    }
    if (emulator->read && type == UC_MEM_READ) {
        note_line(emulator, address, LINE_READ);
        note_line(emulator, address + (unsigned)size - 1, LINE_READ);
    }
}

static bool on_invalid(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                       void *context)
{
    struct emulator *emulator = context;
    bool write = type == UC_MEM_WRITE_UNMAPPED || type == UC_MEM_WRITE_PROT;
    bool read = type == UC_MEM_READ_UNMAPPED || type == UC_MEM_READ_PROT;
    (void)uc;
    (void)size;
    (void)value;
    struct emulator_run *run = trace_stop(emulator, EMULATOR_FAULT, emulator->expected - 4);
    run->address = address;
    run->access = write ? PLAN_WRITE : read ? PLAN_READ : 0;
    return false;
}

/* What the decoder lets through comes here when the emulator does not know it, or stops at its address. */
static void on_interrupt(uc_engine *uc, uint32_t number, void *context)
{
    enum { SUPERVISOR_CALL = 2, DATA_ABORT = 4 }; /* as in QEMU's target/arm/cpu.h */
    struct emulator *emulator = context;
    uint64_t pc = emulator->expected - 4;
    struct decoded decoded = {.name = "an instruction"};
    (void)uc;
    if (trace_is_code(emulator, pc))
        decode(emulator->image.words[trace_index(emulator, pc)], pc, &decoded);
    struct emulator_run *run = trace_stop(emulator,
                                          number == SUPERVISOR_CALL ? EMULATOR_SYSCALL
                                          : number == DATA_ABORT    ? EMULATOR_FORBIDDEN
                                                                    : EMULATOR_UNKNOWN,
                                          pc);
    snprintf(run->name, sizeof run->name, "%s%s", decoded.name,
             number == DATA_ABORT ? " at an address that is not aligned" : "");
}

static uint32_t on_mrs(uc_engine *uc, uc_arm64_reg reg, const uc_arm64_cp_reg *system, void *context)
{
    (void)uc;
    (void)reg;
    (void)system;
    return system_access(context, false);
}

static uint32_t on_msr(uc_engine *uc, uc_arm64_reg reg, const uc_arm64_cp_reg *system, void *context)
{
    (void)uc;
    (void)reg;
    (void)system;
    return system_access(context, true);
}

/* Any function pointer, as Unicorn wants it. */
static void *callback(void (*function)(void))
{
    void *pointer;
    memcpy(&pointer, &function, sizeof pointer);
    return pointer;
}

static bool add(struct emulator *emulator, int type, void (*function)(void), int instruction)
{
    uc_hook hook;
    if (type == UC_HOOK_INSN)
        return uc_hook_add(emulator->uc, &hook, type, callback(function), emulator, UINT64_C(1), UINT64_C(0),
                           instruction) == UC_ERR_OK;
    return uc_hook_add(emulator->uc, &hook, type, callback(function), emulator, UINT64_C(1), UINT64_C(0)) ==
           UC_ERR_OK;
}

typedef void (*any_function)(void);

bool trace_attach(struct emulator *emulator)
{
    return add(emulator, UC_HOOK_CODE, (any_function)on_code, 0) &&
           (!emulator->model ||
            add(emulator, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (any_function)on_access, 0)) &&
           (!emulator->config.guards ||
            add(emulator, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (any_function)system_guard, 0)) &&
           add(emulator, UC_HOOK_MEM_INVALID, (any_function)on_invalid, 0) &&
           add(emulator, UC_HOOK_INTR, (any_function)on_interrupt, 0) &&
           add(emulator, UC_HOOK_INSN, (any_function)on_mrs, UC_ARM64_INS_MRS) &&
           add(emulator, UC_HOOK_INSN, (any_function)on_msr, UC_ARM64_INS_MSR);
}

bool trace_attach_shared(struct emulator *emulator)
{
    return add(emulator, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (any_function)on_shared, 0);
}

void trace_begin(struct emulator *emulator, uint64_t entry)
{
    emulator->expected = entry;
    emulator->attention = entry; /* step() looks at it */
    emulator->run_start = entry;
    emulator->accessed = 0;
    emulator->depth = emulator->interrupted = 0;
    emulator->landing = entry;
    emulator->askew = false;
    emulator->stopped = false;
}

void trace_end(struct emulator *emulator, uint64_t pc, uc_err error)
{
    uint64_t last = emulator->expected - 4;
    if (!emulator->stopped && error == UC_ERR_OK && pc == RETURN_ADDRESS) {
        trace_end_run(emulator, pc);
        if (emulator->model)
            trace_hand_over(emulator);
        if (!emulator->stopped)
            jumps_may_jump(emulator, last, pc);
    } else if (!emulator->stopped && error == UC_ERR_OK) {
        /* an instruction that waits for an interrupt ends the emulation as if it were done */
        snprintf(trace_stop(emulator, EMULATOR_FORBIDDEN, last)->name, sizeof emulator->run->name, "a wait");
    } else if (!emulator->stopped) {
        snprintf(trace_stop(emulator, EMULATOR_ERROR, last)->name, sizeof emulator->run->name, "%s",
                 uc_strerror(error));
    }
    if (emulator->stopped) /* in the middle of a run: counted, but not modelled */
        emulator->instructions += (emulator->expected - emulator->run_start) / 4;
    emulator->run->instructions = emulator->instructions;
    emulator->run->charged = emulator->charged;
}
