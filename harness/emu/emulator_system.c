/* What the machine answers by itself: system registers, the virtual PMU's events, exception levels; and the
 * guard of what is the glue's alone. */
#include <stdio.h>

#include "harness/emu/emulator_internal.h"
#include "harness/runner/target/runner.h"

/* ---- what the virtual PMU counts ---- */

bool system_count(void *context, uint16_t event, uint64_t *value)
{
    enum { EXCEPTIONS = 0x09, RETURNS = 0x0a };
    static const struct {
        uint16_t event;
        enum model_event counts, and; /* both, added up, or MODEL_EVENT_COUNT */
    } events[] = {
        {0x01, MODEL_L1I_MISSES, MODEL_EVENT_COUNT},
        {0x03, MODEL_L1D_MISSES, MODEL_EVENT_COUNT},
        {0x04, MODEL_L1D_ACCESSES, MODEL_EVENT_COUNT},
        {0x05, MODEL_L1D_TLB_MISSES, MODEL_EVENT_COUNT},
        {0x08, MODEL_INSTRUCTIONS, MODEL_EVENT_COUNT},
        {0x10, MODEL_BRANCH_MISSES, MODEL_EVENT_COUNT},
        {0x11, MODEL_CYCLES, MODEL_EVENT_COUNT},
        {0x12, MODEL_BRANCHES, MODEL_EVENT_COUNT},
        {0x13, MODEL_MEMORY_ACCESSES, MODEL_EVENT_COUNT},
        {0x14, MODEL_L1I_ACCESSES, MODEL_EVENT_COUNT},
        {0x15, MODEL_L1D_WRITE_BACKS, MODEL_EVENT_COUNT},
        {0x16, MODEL_L2_ACCESSES, MODEL_EVENT_COUNT},
        {0x17, MODEL_L2_MISSES, MODEL_EVENT_COUNT},
        {0x3a, MODEL_UOPS, MODEL_EVENT_COUNT},
        {0x3d, MODEL_SLOTS_BACKEND_CORE, MODEL_SLOTS_BACKEND_MEMORY},
        {0x3e, MODEL_SLOTS_FRONTEND, MODEL_EVENT_COUNT},
    };
    const struct emulator *emulator = context;
    bool plain = event == 0x08 || event == 0x11; /* without a core, an instruction is a cycle */
    *value = plain ? emulator->instructions_ever + emulator->instructions : 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (events[i].event != event)
            continue;
        if (emulator->model)
            *value = model_observe(emulator->model, events[i].counts);
        if (emulator->model && events[i].and != MODEL_EVENT_COUNT)
            *value += model_observe(emulator->model, events[i].and);
        return true;
    }
    if (event == EXCEPTIONS || event == RETURNS) /* without levels there are none */
        *value = event == EXCEPTIONS ? emulator->levels.taken : emulator->levels.returned;
    return event == EXCEPTIONS || (event == RETURNS && emulator->config.levels);
}

/* ---- system registers ---- */

/* What QEMU answers by what it happens to play: a core of no maker, 64 bytes a line and for DC ZVA. */
static bool identify(uint16_t system, uint64_t *value)
{
    static const struct {
        uint16_t system;
        uint64_t value;
    } registers[] = {{0xc000, 0x000f0000} /* MIDR_EL1 */, {0xd801, 0x84448004} /* CTR_EL0 */, {0xd807, 4}};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        if (registers[i].system == system) {
            *value = registers[i].value;
            return true;
        }
    }
    return false;
}

static void note_clock(struct emulator *emulator, uint16_t system, uint64_t value)
{
    struct clock_read noted = {.value = value,
                               .call = emulator->run->call,
                               .visit = emulator->visits,
                               .event = CLOCK_CYCLES,
                               .by_glue = trace_is_glue(emulator, emulator->expected - 4)};
    bool counts =
        vpmu_cycles(emulator->vpmu, system, &noted.cycles) ||
        (emulator->config.levels && vpmu_event(emulator->vpmu, system, &noted.event, &noted.cycles));
    if (counts && emulator->clock_read_count < CLOCK_READS)
        emulator->clock_reads[emulator->clock_read_count++] = noted;
}

/* MRS and MSR of what the virtual PMU answers. The model is brought up to the instruction itself first. */
uint32_t system_access(struct emulator *emulator, bool write)
{
    uint64_t pc = emulator->expected - 4;
    uint32_t word = emulator->image.words[trace_index(emulator, pc)];
    uint16_t system = (uint16_t)(word >> 5);
    unsigned number = word & 31;
    uint64_t value = write ? trace_general(emulator, number, false) : 0;
    if (emulator->stopped)
        return 1;
    trace_end_run(emulator, emulator->expected);
    if (emulator->model)
        trace_hand_over(emulator);
    const bool counts =
        write ? vpmu_write(emulator->vpmu, system, value) : vpmu_read(emulator->vpmu, system, &value);
    if (!counts && (write || !identify(system, &value)))
        return 0;
    const bool none = emulator->config.no_counters,
               events = emulator->config.cycles_only && vpmu_is_events(emulator->vpmu, system);
    if (counts && (none || events) && !trace_is_glue(emulator, pc)) {
        struct emulator_run *run = trace_stop(emulator, none ? EMULATOR_COUNTER : EMULATOR_EVENTS, pc);
        snprintf(run->name, sizeof run->name, "%s", write ? "msr" : "mrs");
        return 1;
    }
    if (!write)
        trace_set_general(emulator, number, value);
    if (!write && emulator->clock_reads)
        note_clock(emulator, system, value);
    return 1;
}

/* ---- what is the glue's alone ---- */

static bool is_glues(const struct emulator *emulator, uint64_t address)
{
    for (unsigned i = 0; address - ARENA_BASE < ARENA_SIZE && i < emulator->mapped_count; i++)
        if (emulator->mapped[i].access & PLAN_GLUE &&
            address - emulator->mapped[i].address < emulator->mapped[i].size)
            return true;
    return false;
}

/* The glue's last call that left it; NULL if it has made none. */
static const struct frame *last_frame(const struct emulator *emulator)
{
    for (unsigned i = emulator->depth; i-- > 0;)
        if (emulator->frames[i].left)
            return &emulator->frames[i];
    return NULL;
}

bool system_was_handed(const struct emulator *emulator, uint64_t object)
{
    const struct frame *frame = last_frame(emulator);
    for (unsigned i = 0; frame && i < HANDED; i++)
        if (object == frame->handed[i] && (i == 0 || is_glues(emulator, object)))
            return true;
    return false;
}

/* The frames of the glue are all that is above the SP that it called with. */
static bool is_guarded(const struct emulator *emulator, uint64_t address, bool write)
{
    const uint64_t end = emulator->stack_address + TARGET_STACK_SIZE;
    const struct frame *frame = write ? last_frame(emulator) : NULL;
    return is_glues(emulator, address) ||
           (frame && address - frame->saved[SAVED - 1] < end - frame->saved[SAVED - 1]);
}

void system_guard(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *context)
{
    struct emulator *emulator = context;
    const uint64_t pc = emulator->expected - 4;
    const bool write = type == UC_MEM_WRITE;
    (void)uc;
    (void)value;
    if ((trace_is_code(emulator, pc) && trace_is_glue(emulator, pc)) ||
        !(is_guarded(emulator, address, write) || is_guarded(emulator, address + (unsigned)size - 1, write)))
        return;
    struct emulator_run *run = trace_stop(emulator, EMULATOR_GUARDED, pc);
    run->address = address;
    run->access = write ? PLAN_WRITE : PLAN_READ;
}

/* ---- exception levels ---- */

void system_make_op(struct op *op)
{
    if (op->op_class != OP_NOP) /* MSR and MRS are known */
        return;
    *op = (struct op){.op_class = OP_BARRIER,
                      .order = OP_ORDER_CONTEXT,
                      .address = op->address,
                      .accumulator = OP_NONE,
                      .base_write = OP_NONE};
}

static void read_registers(const struct emulator *emulator, unsigned operand,
                           struct level_registers *registers)
{
    registers->operand = trace_general(emulator, operand, false);
    uc_reg_read(emulator->uc, UC_ARM64_REG_SP, &registers->stack);
    uc_reg_read(emulator->uc, UC_ARM64_REG_NZCV, &registers->flags);
}

/* The execution goes on at `to`; Unicorn is stopped before the instruction that it is at, and started there.
 */
static void go_on(struct emulator *emulator, uint64_t to)
{
    emulator->resume = to;
    emulator->attention = emulator->expected; /* an interrupt may be waiting */
    uc_emu_stop(emulator->uc);
}

/* To another level, or to a handler. */
static void change(struct emulator *emulator, uint64_t to, const struct level_registers *registers)
{
    uc_reg_write(emulator->uc, UC_ARM64_REG_SP, &registers->stack);
    uc_reg_write(emulator->uc, UC_ARM64_REG_NZCV, &registers->flags);
    emulator->askew = true; /* to be looked at: it is another SP */
    emulator->landing = to;
    go_on(emulator, to);
}

bool system_is_counter(uint32_t word)
{
    const uint32_t number = word >> 5 & 0x1f, crm = word >> 8 & 0xf;
    return (word & 0xffdff000) == 0xd51be000 && crm >= 8 && number != 31; /* 31 is PMCCFILTR and no counter */
}

void system_answer(struct emulator *emulator, uint64_t address)
{
    const uint32_t word = emulator->image.words[trace_index(emulator, address)];
    if (system_access(emulator, !(word >> 21 & 1)))
        go_on(emulator, address + 4);
}

static bool has_code(struct emulator *emulator, uint64_t from, uint64_t to, const char *text)
{
    if (!trace_is_code(emulator, to))
        return jumps_escaped(emulator, from, to, text);
    return emulator->image.places[trace_index(emulator, to)] != IMAGE_RUNNER ||
           jumps_escaped(emulator, from, to, "into the runner");
}

/* An exception that comes back to `back`. Where it is the glue's it comes back there, and nowhere else. */
static bool may_take(struct emulator *emulator, uint64_t from, uint64_t to, uint64_t back)
{
    if (!has_code(emulator, from, to, "by an exception; VBAR_EL1 has no handler there"))
        return false;
    if (trace_is_glue(emulator, to) && !emulator->glue_vectors)
        return jumps_escaped(emulator, from, to, "into the middle of the exercise's glue");
    if (trace_is_code(emulator, back) && trace_is_glue(emulator, back)) {
        if (emulator->interrupted == FRAMES)
            return jumps_escaped(emulator, from, to, "by too many exceptions within each other");
        emulator->interruptions[emulator->interrupted++] = back;
    }
    return true;
}

static bool may_return(struct emulator *emulator, uint64_t from, uint64_t to)
{
    if (!has_code(emulator, from, to, "by an eret; ELR_EL1 has no address of code"))
        return false;
    if (!trace_is_glue(emulator, to))
        return true;
    if (emulator->interrupted > 0 && emulator->interruptions[emulator->interrupted - 1] == to) {
        emulator->interrupted--;
        return true;
    }
    return (trace_is_glue(emulator, from) &&
            emulator->image.places[trace_index(emulator, to)] != IMAGE_GLUE) ||
           jumps_escaped(emulator, from, to, "into the middle of the exercise's glue");
}

void system_step(struct emulator *emulator, uint64_t address)
{
    const uint64_t taken = emulator->levels.taken;
    uint32_t word = emulator->image.words[trace_index(emulator, address)];
    struct level_registers registers;
    const char *why = NULL;
    uint64_t to = 0;
    trace_end_run(emulator, emulator->expected);
    if (emulator->model)
        trace_hand_over(emulator);
    if (emulator->stopped)
        return;
    emulator->quiet = 0;
    read_registers(emulator, word & 31, &registers);
    switch (levels_step(&emulator->levels, emulator->vpmu, word, address, &registers, &to, &why)) {
    case LEVEL_PASS:
        if (trace_passes(emulator, address) && (word >> 20 & 0xffd) == 0xd51)
            system_answer(emulator, address);
        break;
    case LEVEL_READ:
        trace_set_general(emulator, word & 31, registers.operand);
        go_on(emulator, address + 4);
        break;
    case LEVEL_NEXT:
        if ((word >> 5 & 0xffff) == LEVELS_VECTORS)
            emulator->glue_vectors = trace_is_glue(emulator, address);
        go_on(emulator, address + 4);
        break;
    case LEVEL_GO:
        if (emulator->levels.taken > taken ? may_take(emulator, address, to, emulator->levels.link)
                                           : may_return(emulator, address, to))
            change(emulator, to, &registers);
        break;
    case LEVEL_REFUSED:
        snprintf(trace_stop(emulator, EMULATOR_FORBIDDEN, address)->name, sizeof emulator->run->name, "%s",
                 why);
        break;
    }
}

/* One instruction makes no more events than this, so that most of the time nobody needs to look: the model is
 * far behind then, and stays there. */
enum { EVENTS_OF_ONE = 1024 };

bool system_interrupt(struct emulator *emulator, uint64_t address)
{
    struct level_registers registers;
    uint64_t executed = emulator->instructions + (address - emulator->run_start) / 4, left;
    if (executed < emulator->quiet || !levels_listen(&emulator->levels, emulator->vpmu))
        return false;
    trace_end_run(emulator, address);
    if (emulator->model)
        trace_hand_over(emulator);
    if (emulator->stopped)
        return false;
    if (!vpmu_interrupts(emulator->vpmu, &left)) {
        emulator->quiet = executed + left / EVENTS_OF_ONE;
        return false;
    }
    read_registers(emulator, 31, &registers);
    uint64_t to = levels_interrupt(&emulator->levels, emulator->vpmu, address, &registers);
    if (may_take(emulator, address, to, address))
        change(emulator, to, &registers);
    return true;
}
