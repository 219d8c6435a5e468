#include "harness/emu/tests/emulator_kit.h"

#include <elf.h>
#include <sched.h>
#include <stddef.h>

/* cppcheck-suppress unknownMacro */
TestSuite(emulator, .init = before, .fini = after);

/* ---- what is right ---- */

Test(emulator, executes_a_call_and_its_results_are_there)
{
    expect_done(CASE_nothing);
    expect_done(CASE_sum);
    cr_expect_eq(result->value, VALUES * (VALUES - 1) / 2);
    cr_expect_gt(run.instructions, 4 * VALUES);
    cr_expect_lt(run.instructions, 4 * VALUES + 50);
    expect_done(CASE_calls_back);
    cr_expect_eq(result->value, 43);
    expect_done(CASE_calls_memset);
    cr_expect_eq(result->room[1], UINT64_C(0x5a5a5a5a5a5a5a5a));
    cr_expect_eq(result->room[6], 0);
    expect_done(CASE_mixed);
    expect_done(CASE_long_block);
    expect_done(CASE_random_branches);
    expect_done(CASE_next_is_target);
}

Test(emulator, counts_how_often_it_comes_to_a_place_by_a_jump)
{
    for (int core = 0; core < 2; core++) {
        expect_done(CASE_sum);
        const uint64_t *arrivals = emulator_arrivals(emulator);
        cr_expect_eq(arrivals[TARGET_SUM_LOOP], VALUES - 1, "it falls into the loop");
        cr_expect_eq(arrivals[TARGET_ADD_ONE], 0);
        expect_done(CASE_calls_back);
        arrivals = emulator_arrivals(emulator);
        cr_expect_eq(arrivals[TARGET_SUM_LOOP], 0, "of the last execution");
        cr_expect_eq(arrivals[TARGET_ADD_ONE], 2);
        cr_expect_eq(arrivals[TARGET_NO_CODE], 0);
        use("cortex-a55");
    }
}

Test(emulator, a_function_that_the_glue_has_jumped_to_returns_too)
{
    execute(CASE_sum, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_DONE, "%s", run.name);
    cr_expect_eq(result->value, VALUES * (VALUES - 1) / 2);
}

Test(emulator, executes_the_calls_that_it_is_asked_for)
{
    struct plan *plan = arena_plan(arena);
    struct target_args *many = arena_alloc(arena, 4 * sizeof *many, 8, PLAN_READ, ARENA_AT_START);
    struct target_result *results =
        arena_alloc(arena, 4 * sizeof *results, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    for (unsigned i = 0; i < 4; i++)
        many[i] = (struct target_args){values, i, 0, i < 3 ? CASE_sum : CASE_makes_syscall};
    plan->args = (uint64_t)many;
    plan->args_stride = sizeof *many;
    plan->results = (uint64_t)results;
    plan->results_stride = sizeof *results;
    plan->calls = 4;
    plan->layout += 1000;
    emulator_execute(emulator, 1, 2, &run);
    cr_assert_eq(run.outcome, EMULATOR_DONE, "%s", run.name);
    cr_expect_eq(results[0].returned, 0);
    cr_expect_eq(results[1].returned, 1);
    cr_expect_eq(results[2].value, 1);
    cr_expect_eq(results[3].returned, 0);
    emulator_execute(emulator, 0, 4, &run);
    cr_expect_eq(run.outcome, EMULATOR_SYSCALL);
    cr_expect_eq(run.call, 3);
    emulator_execute(emulator, 4, 0, &run);
    cr_expect_eq(run.outcome, EMULATOR_DONE);
    emulator_execute(emulator, 4, 1, &run);
    cr_expect_eq(run.outcome, EMULATOR_ERROR);
}

Test(emulator, no_state_lives_from_call_to_call)
{
    expect_done(CASE_leaves_state);
    expect_done(CASE_finds_state);
    cr_expect_eq(result->value, 0, "0x%" PRIx64, result->value);
}

Test(emulator, a_new_layout_is_mapped_anew)
{
    expect_done(CASE_sum);
    int32_t *before_reset = values;
    lay_out();
    arena_plan(arena)->regions[0].access = PLAN_READ;
    cr_expect_eq(values, before_reset);
    args->n = 3;
    expect_done(CASE_sum);
    cr_expect_eq(result->value, 3);
    arena_reset(arena);
    arena_plan(arena)->calls = 1;
    arena_plan(arena)->args = (uint64_t)args;
    emulator_execute(emulator, 0, 1, &run);
    cr_expect_eq(run.outcome, EMULATOR_FAULT, "what was mapped is gone");
    cr_expect_eq(run.access, PLAN_READ);
}

Test(emulator, a_bad_plan_is_not_executed)
{
    arena_plan(arena)->entry = 1000;
    emulator_execute(emulator, 0, 1, &run);
    cr_expect_eq(run.outcome, EMULATOR_ERROR);
    arena_plan(arena)->entry = 0;
    arena_plan(arena)->regions[0].address = 0x1000;
    arena_plan(arena)->layout += 1000;
    emulator_execute(emulator, 0, 1, &run);
    cr_expect_eq(run.outcome, EMULATOR_ERROR);
    cr_expect(strstr(run.name, "region"));
}

/* ---- exactly what was executed ---- */

/* What another machine says, in which nothing is cut short: each instruction, and each first access. */
struct trace {
    uint64_t *items;
    size_t count, room;
};

static void append(struct trace *trace, uint64_t item)
{
    if (trace->count == trace->room) {
        trace->room = 2 * trace->room + 1024;
        trace->items = realloc(trace->items, trace->room * sizeof *trace->items);
        cr_assert(trace->items);
    }
    trace->items[trace->count++] = item;
}

struct witness {
    struct trace code, accesses;
    bool first;
};

static unsigned length_of(uint64_t value)
{
    unsigned length = 0;
    for (; value; value >>= 1)
        length++;
    return length;
}

static uint64_t operand(uc_engine *uc, unsigned number, uint32_t word)
{
    uint64_t value = 0;
    if (number < 31)
        uc_reg_read(uc, number < 29 ? UC_ARM64_REG_X0 + (int)number : UC_ARM64_REG_X29, &value);
    if (!(word >> 31))
        value = word & 0x400 ? (uint64_t)(int32_t)value : (uint32_t)value;
    return word & 0x400 && value >> 63 ? -value : value;
}

static void see_division(uc_engine *uc, uint32_t word, struct witness *witness)
{
    unsigned dividend = length_of(operand(uc, word >> 5 & 31, word));
    unsigned divisor = length_of(operand(uc, word >> 16 & 31, word));
    append(&witness->accesses, divisor && dividend >= divisor ? dividend - divisor + 1 : 0);
}

static void see_code(uc_engine *uc, uint64_t address, uint32_t size, void *context)
{
    struct witness *witness = context;
    (void)size;
    append(&witness->code, address);
    witness->first = true;
    uint32_t word = 0;
    uc_mem_read(uc, address, &word, 4);
    struct decoded decoded;
    decode(word, address, &decoded);
    if (decoded.op.quotient)
        see_division(uc, word, witness);
    if (!decoded.block && decoded.op.memory != OP_MEMORY_PREFETCH &&
        !(decoded.op.op_class == OP_EXCLUSIVE && decoded.op.memory == OP_MEMORY_STORE))
        return;
    uint64_t registers[32] = {0};
    for (int i = 0; i < 29; i++)
        uc_reg_read(uc, UC_ARM64_REG_X0 + i, &registers[i]);
    uc_reg_read(uc, UC_ARM64_REG_SP, &registers[31]);
    append(&witness->accesses, decode_access_address(&decoded, registers));
    witness->first = false;
}

static void see_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                       void *context)
{
    struct witness *witness = context;
    (void)uc;
    (void)type;
    (void)size;
    (void)value;
    if (witness->first)
        append(&witness->accesses, address);
    witness->first = false;
}

/* A machine of our own, with the same memory. */
static void witness(enum target_case which, struct witness *seen)
{
    uc_engine *uc;
    uc_hook hook;
    struct image image;
    struct error err;
    const struct plan *plan = arena_plan(arena);
    uint64_t sp = TARGET_STACK + TARGET_STACK_SIZE - 4096, link = RETURN_ADDRESS, x0 = plan->args,
             x1 = plan->results;
    cr_assert(image_open(&image, program, &err), "%s", err.text);
    cr_assert_eq(uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &uc), UC_ERR_OK);
    uc_ctl_set_cpu_model(uc, UC_CPU_ARM64_MAX);
    for (unsigned i = 0; i < image.segment_count; i++)
        uc_mem_map_ptr(uc, image.segments[i].address, image.segments[i].size, UC_PROT_ALL,
                       image.segments[i].bytes);
    uc_mem_map(uc, TARGET_STACK, TARGET_STACK_SIZE, UC_PROT_ALL);
    uc_mem_map(uc, RETURN_ADDRESS, 4096, UC_PROT_ALL);
    for (unsigned i = 0; i < plan->region_count; i++)
        uc_mem_map_ptr(uc, plan->regions[i].address, plan->regions[i].size, UC_PROT_ALL,
                       (void *)plan->regions[i].address);
    uc_hook_add(uc, &hook, UC_HOOK_CODE, (void *)see_code, seen, UINT64_C(1), UINT64_C(0));
    uc_hook_add(uc, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)see_access, seen, UINT64_C(1),
                UINT64_C(0));
    uc_reg_write(uc, UC_ARM64_REG_SP, &sp);
    uc_reg_write(uc, UC_ARM64_REG_X30, &link);
    uc_reg_write(uc, UC_ARM64_REG_X0, &x0);
    uc_reg_write(uc, UC_ARM64_REG_X1, &x1);
    memset(result, 0, sizeof *result);
    args->which = which;
    cr_assert_eq(uc_emu_start(uc, image.entries[plan->entry], RETURN_ADDRESS, 0, 0), UC_ERR_OK);
    uc_close(uc);
    image_close(&image);
}

struct told {
    struct trace code, accesses;
    uint64_t next;
    const struct op *ops;
    size_t branches_inside, gaps;
};

static void tap(void *context, uint32_t first, uint32_t count, const uint64_t *addresses, uint64_t next)
{
    struct told *told = context;
    if (told->next != 0 && told->next != told->ops[first].address)
        told->gaps++;
    told->next = next;
    for (uint32_t i = first; i < first + count; i++) {
        append(&told->code, told->ops[i].address);
        if (op_is_told(&told->ops[i]))
            append(&told->accesses, *addresses++);
        if (i + 1 < first + count && told->ops[i].branch != OP_NO_BRANCH)
            told->branches_inside++;
    }
}

static void expect_same(const struct trace *wanted, const struct trace *found, const char *what, int which)
{
    cr_expect_eq(found->count, wanted->count, "case %d: %zu %s, expected %zu", which, found->count, what,
                 wanted->count);
    for (size_t i = 0; i < found->count && i < wanted->count; i++) {
        if (found->items[i] != wanted->items[i]) {
            cr_expect_fail("case %d: %s number %zu is 0x%" PRIx64 ", expected 0x%" PRIx64, which, what, i,
                           found->items[i], wanted->items[i]);
            return;
        }
    }
}

Test(emulator, the_model_is_told_exactly_what_was_executed)
{
    static const enum target_case cases[] = {
        CASE_nothing,        CASE_sum,        CASE_calls_back,      CASE_calls_memset,
        CASE_mixed,          CASE_long_block, CASE_random_branches, CASE_next_is_target,
        CASE_adds_atomically};
    size_t code_size;
    use("cortex-a55");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct told told = {.ops = emulator_code(emulator, &code_size)};
        struct witness seen = {0};
        emulator->tap = tap;
        emulator->tap_context = &told;
        expect_done(cases[i]);
        witness(cases[i], &seen);
        expect_same(&seen.code, &told.code, "instructions", (int)cases[i]);
        expect_same(&seen.accesses, &told.accesses, "accesses", (int)cases[i]);
        cr_expect_eq(told.gaps, 0);
        cr_expect_eq(told.branches_inside, 0);
        cr_expect_eq(told.next, RETURN_ADDRESS);
        cr_expect_eq(run.instructions, seen.code.count);
        free(told.code.items);
        free(told.accesses.items);
        free(seen.code.items);
        free(seen.accesses.items);
    }
}

static struct model_counts counts_of(const char *core_name)
{
    struct model_counts counts;
    use(core_name);
    expect_done(CASE_mixed);
    expect_done(CASE_random_branches);
    model_count(emulator_model(emulator), &counts);
    return counts;
}

Test(emulator, counts_are_the_same_every_time)
{
    static const char *const cores[] = {"cortex-a55", "neoverse-n1"};
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        struct model_counts first = counts_of(cores[c]);
        char *fill = malloc(100000); /* the heap is not what it was */
        struct model_counts second = counts_of(cores[c]);
        free(fill);
        for (int i = 0; i < MODEL_EVENT_COUNT; i++)
            cr_expect_eq(first.value[i], second.value[i], "%s", model_event_name((enum model_event)i));
        cr_expect_gt(first.value[MODEL_CYCLES], 0);
        cr_expect_gt(first.value[MODEL_BRANCH_MISSES], 0);
    }
}

/* With one CPU the model takes turns with the emulation, with more it has a thread. */
Test(emulator, counts_do_not_depend_on_the_number_of_cpus)
{
    cpu_set_t all, one;
    struct model_counts counts[2];
    size_t cpu = 0;
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        cr_skip_test("one CPU");
    counts[0] = counts_of("neoverse-n1");
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    counts[1] = counts_of("neoverse-n1");
    cr_expect_arr_eq(&counts[0], &counts[1], sizeof counts[0]);
    cr_expect_gt(counts[0].value[MODEL_BRANCHES], 20 * EXECUTED);
}

/* A call that ends badly leaves nothing behind that the next one would count. */
Test(emulator, a_call_over_budget_does_not_disturb_the_next)
{
    struct model_counts counts;
    use("cortex-a55");
    emulator->config.budget = 5000;
    execute(CASE_random_branches, TARGET_WHOLE);
    cr_expect_eq(run.outcome, EMULATOR_BUDGET);
    emulator->config.budget = BUDGET;
    model_forget_counts(emulator_model(emulator));
    expect_done(CASE_sum);
    model_count(emulator_model(emulator), &counts);
    cr_expect_eq(counts.value[MODEL_INSTRUCTIONS], run.instructions);
}

Test(emulator, executions_add_up)
{
    size_t count;
    uint64_t sum = 0;
    use("neoverse-n1");
    expect_done(CASE_sum);
    emulator_code(emulator, &count);
    const struct model_site *sites = model_sites(emulator_model(emulator));
    for (size_t i = 0; i < count; i++)
        sum += sites[i].executions;
    cr_expect_eq(sum, run.instructions);
}

/* ---- the PMU as student code sees it ---- */

Test(emulator, the_pmu_counts_without_a_core)
{
    expect_done(CASE_times_adds);
    cr_expect_eq(result->value, 1002);
    expect_done(CASE_counts_events);
    cr_expect_eq(result->value, 52);
    cr_expect_eq(result->more, 2);
    cr_expect_eq(result->room[0], 2 * 77, "a counter behind the fourth: what was written, and its event");
}

Test(emulator, the_pmu_counts_what_the_model_counts)
{
    static const char *const cores[] = {"cortex-a55", "neoverse-n1"};
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        use(cores[c]);
        expect_done(CASE_times_adds);
        expect_done(CASE_times_adds); /* its code is in the cache by now */
        cr_expect_geq(result->value, 1000);
        cr_expect_lt(result->value, 1200, "%" PRIu64 " cycles for 1,000 adds", result->value);
        expect_done(CASE_counts_events);
        cr_expect_eq(result->value, 52);
        cr_expect_eq(result->more, 2);
    }
}

Test(emulator, a_round_of_aes_is_one_operation)
{
    static const char *const cores[] = {"cortex-a55", "cortex-a72", "neoverse-n1", "neoverse-v1"};
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        use(cores[c]);
        expect_done(CASE_encrypts);
        expect_done(CASE_encrypts);
        cr_expect_leq(result->value + 5, result->more, "%s: %" PRIu64 " and %" PRIu64 " cycles", cores[c],
                      result->value, result->more);
    }
}

Test(emulator, a_read_without_isb_is_early_out_of_order)
{
    use("neoverse-n1");
    expect_done(CASE_times_without_isb);
    expect_done(CASE_times_without_isb);
    cr_expect_lt(result->value, result->more * 3 / 4, "%" PRIu64, result->value);
    cr_expect_gt(result->more, 200, "%" PRIu64, result->more);
}

Test(emulator, what_the_machine_says_it_is_does_not_depend_on_the_emulator)
{
    expect_done(CASE_identifies);
    cr_expect_eq(result->value, 0x000f0000);
    cr_expect_eq(result->more, 0x84448004);
    cr_expect_eq(result->room[1], 4);
}

/* ---- opening ---- */

/* The program, with `size` bytes at `offset` as given. */
static void expect_refused(size_t offset, const void *bytes, size_t size, const char *part)
{
    struct error err;
    char command[200], name[] = "/tmp/cyclelab-test-XXXXXX";
    int fd = mkstemp(name);
    cr_assert_geq(fd, 0);
    snprintf(command, sizeof command, "cp %s %s", program, name);
    cr_assert_eq(system(command), 0);
    cr_assert_eq(pwrite(fd, bytes, size, (off_t)offset), (ssize_t)size);
    close(fd);
    const struct emulator_config config = {.program = name, .budget = 1};
    cr_expect_null(emulator_open(&config, arena, &err));
    cr_expect(strstr(err.text, part), "expected \"%s\" in: %s", part, err.text);
    unlink(name);
}

Test(emulator, a_program_that_is_broken_is_refused)
{
    static const uint64_t nowhere = 0, huge = UINT64_C(1) << 40, none = 0;
    size_t segment = sizeof(Elf64_Ehdr); /* the first program header */
    uint16_t machine = EM_X86_64;
    expect_refused(offsetof(Elf64_Ehdr, e_machine), &machine, sizeof machine, "not a static AArch64");
    expect_refused(segment + offsetof(Elf64_Phdr, p_vaddr), &nowhere, 8, "not where a program's are");
    expect_refused(segment + offsetof(Elf64_Phdr, p_vaddr), &huge, 8, "not where a program's are");
    expect_refused(segment + offsetof(Elf64_Phdr, p_memsz), &huge, 8, "not where a program's are");
    expect_refused(segment + offsetof(Elf64_Phdr, p_offset), &huge, 8, "not where a program's are");
    expect_refused(offsetof(Elf64_Ehdr, e_shoff), &none, 8, "");
}

Test(emulator, a_program_without_symbols_or_entries_is_refused)
{
    struct error err;
    char command[512], other[] = "/tmp/cyclelab-test-XXXXXX";
    int fd = mkstemp(other);
    cr_assert_geq(fd, 0);
    close(fd);
    const struct emulator_config config = {.program = other, .budget = 1};
    snprintf(command, sizeof command,
             "echo '_start: nop' | aarch64-linux-gnu-gcc -nostdlib -static -x assembler -o %s - 2>/dev/null",
             other);
    cr_assert_eq(system(command), 0);
    cr_expect_null(emulator_open(&config, arena, &err));
    cr_expect(strstr(err.text, "no plan_entries"), "%s", err.text);
    snprintf(
        command, sizeof command,
        "echo '_start: nop' | aarch64-linux-gnu-gcc -nostdlib -static -s -x assembler -o %s - 2>/dev/null",
        other);
    cr_assert_eq(system(command), 0);
    cr_expect_null(emulator_open(&config, arena, &err));
    cr_expect(strstr(err.text, "no symbols"), "%s", err.text);
    unlink(other);
}

Test(emulator, a_program_that_is_none_is_an_error_with_its_name)
{
    struct error err;
    struct emulator_config config = {.program = "/nowhere/runner", .budget = 1};
    cr_assert_null(emulator_open(&config, arena, &err));
    cr_expect(strstr(err.text, "/nowhere/runner"), "%s", err.text);
    config.program = "/proc/self/exe";
    cr_assert_null(emulator_open(&config, arena, &err));
    cr_expect(strstr(err.text, "not a static AArch64 program"), "%s", err.text);
    config.program = "Makefile";
    cr_assert_null(emulator_open(&config, arena, &err));
    cr_expect(strstr(err.text, "Makefile"), "%s", err.text);
    config.program = "/tmp";
    cr_assert_null(emulator_open(&config, arena, &err));
    emulator_close(NULL);
}
