#include <criterion/criterion.h>
#include <elf.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/core/core_file.h"
#include "harness/emu/emulator_internal.h"
#include "harness/emu/tests/target_cases.h"
#include "harness/runner/target/runner.h"

enum { VALUES = 100, ALL_FEATURES = 0xffff, BUDGET = 1000000 };

static char program[64];
static struct arena *arena;
static struct emulator *emulator;
static struct emulator_run run;
static struct target_args *args;
static struct target_result *result;
static int32_t *values;

/* The student's code of target_cases_student.S behind its glue, in a runner. */
static void build(void)
{
    char self[PATH_MAX] = "", command[2 * PATH_MAX];
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    if (system("command -v aarch64-linux-gnu-gcc >/dev/null") != 0)
        cr_skip_test("no aarch64-linux-gnu-gcc");
    strcpy(program, "/tmp/cyclelab-test-XXXXXX");
    int fd = mkstemp(program);
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(command, sizeof command,
             "aarch64-linux-gnu-gcc -O2 -I. -ffreestanding -fno-pie -fno-stack-protector "
             "-fno-asynchronous-unwind-tables -static -nostdlib -no-pie -o %s "
             "%s/runner/aarch64/runner.o harness/emu/tests/target_cases_glue.c "
             "harness/emu/tests/target_cases_student.S",
             program, dirname(self));
    cr_assert_eq(system(command), 0, "%s", command);
}

static void lay_out(void)
{
    arena_reset(arena);
    values = arena_alloc(arena, VALUES * sizeof *values, 4, PLAN_READ, ARENA_AT_END);
    args = arena_alloc(arena, sizeof *args, 8, PLAN_READ, ARENA_AT_START);
    result = arena_alloc(arena, sizeof *result, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    for (int i = 0; i < VALUES; i++)
        values[i] = i;
    *args = (struct target_args){values, VALUES, 41, 0};
    struct plan *plan = arena_plan(arena);
    plan->calls = 1;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)result;
}

static struct emulator *open_with(const char *core_name, unsigned features)
{
    struct error err;
    struct core core;
    if (core_name)
        cr_assert(core_read(".", core_name, &core, &err), "%s", err.text);
    const struct emulator_config config = {
        .program = program, .core = core_name ? &core : NULL, .features = features, .budget = BUDGET};
    struct emulator *opened = emulator_open(&config, arena, &err);
    cr_assert(opened, "%s", err.text);
    return opened;
}

static void use(const char *core_name)
{
    emulator_close(emulator);
    emulator = open_with(core_name, ALL_FEATURES);
}

static void before(void)
{
    struct error err;
    build();
    arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    lay_out();
    emulator = open_with(NULL, ALL_FEATURES);
}

static void after(void)
{
    emulator_close(emulator);
    arena_destroy(arena);
    unlink(program);
}

/* cppcheck-suppress unknownMacro */
TestSuite(emulator, .init = before, .fini = after);

static void execute(enum target_case which, unsigned entry)
{
    memset(result, 0, sizeof *result);
    args->which = which;
    arena_plan(arena)->entry = entry;
    emulator_execute(emulator, 0, 1, &run);
}

static void expect_done(enum target_case which)
{
    execute(which, TARGET_WHOLE);
    cr_assert_eq(run.outcome, EMULATOR_DONE, "case %d: outcome %d at 0x%" PRIx64 ": %s", (int)which,
                 (int)run.outcome, run.pc, run.name);
    cr_assert_eq(result->returned, 1);
}

static void expect(enum target_case which, enum emulator_outcome outcome, const char *name)
{
    execute(which, TARGET_WHOLE);
    cr_expect_eq(run.outcome, outcome, "case %d: outcome %d at 0x%" PRIx64 ": %s", (int)which,
                 (int)run.outcome, run.pc, run.name);
    cr_expect(strstr(run.name, name), "expected \"%s\" in \"%s\"", name, run.name);
    cr_expect_eq(result->returned, 0);
}

/* The student's function, by the table that the program has of them. */
static uint64_t start_of(enum target_case which)
{
    struct error err;
    struct image image;
    uint64_t start = 0;
    cr_assert(image_open(&image, program, &err), "%s", err.text);
    /* the glue loads from the table: it is known by its ascending addresses of code */
    for (unsigned s = 0; s < image.segment_count; s++) {
        for (uint64_t at = 0; at + 8 * CASE_COUNT <= image.segments[s].size; at += 8) {
            const uint64_t *table = (const uint64_t *)(image.segments[s].bytes + at);
            bool good = true;
            for (unsigned i = 0; good && i < CASE_COUNT; i++)
                good = table[i] - image.code < 4 * image.count && (i == 0 || table[i] > table[i - 1]);
            start = good ? table[which] : start; /* the last: before it may be others */
        }
    }
    image_close(&image);
    cr_assert_neq(start, 0);
    return start;
}

static void expect_fault(enum target_case which, unsigned offset, uint64_t address, unsigned access)
{
    expect(which, EMULATOR_FAULT, "");
    cr_expect_eq(run.pc, start_of(which) + offset, "pc 0x%" PRIx64, run.pc);
    cr_expect_eq(run.address, address, "address 0x%" PRIx64, run.address);
    cr_expect_eq(run.access, access);
}

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

/* ---- what is wrong ---- */

Test(emulator, a_fault_has_its_place_address_and_access)
{
    expect_fault(CASE_reads_beyond, 4, (uint64_t)(values + VALUES), PLAN_READ);
    expect_fault(CASE_writes_argument, 0, (uint64_t)&args->n, PLAN_WRITE);
    expect_fault(CASE_writes_code, 4, start_of(CASE_writes_code), PLAN_WRITE);
    expect_fault(CASE_reads_plan, 4, ARENA_BASE, PLAN_READ);
    expect_fault(CASE_writes_status, 4, ARENA_STATUS, PLAN_WRITE);
    expect_fault(CASE_jumps_to_null, 4, 0, 0);
    expect_fault(CASE_jumps_to_data, 0, (uint64_t)result, 0);
    expect_fault(CASE_generates_code, 20, (uint64_t)result, 0);
    expect(CASE_jumps_to_constants, EMULATOR_FAULT, "");
    cr_expect_eq(run.access, 0);
    expect(CASE_runs_off, EMULATOR_FAULT, "");
    cr_expect_eq(run.access, 0);
    cr_expect_eq(run.pc, start_of(CASE_runs_off));
}

Test(emulator, a_fault_with_a_core_is_the_same)
{
    use("cortex-a55");
    expect_fault(CASE_reads_beyond, 4, (uint64_t)(values + VALUES), PLAN_READ);
    expect_fault(CASE_writes_code, 4, start_of(CASE_writes_code), PLAN_WRITE);
    expect_fault(CASE_generates_code, 20, (uint64_t)result, 0);
    expect(CASE_spins_without_end, EMULATOR_BUDGET, "");
    expect_done(CASE_sum);
}

Test(emulator, a_recursion_without_end_faults_below_the_stack)
{
    expect(CASE_recurses, EMULATOR_FAULT, "");
    cr_expect_eq(run.access, PLAN_WRITE);
    cr_expect_lt(run.address, TARGET_STACK);
    cr_expect_geq(run.address, TARGET_STACK - 4096);
    cr_expect_lt(run.sp, TARGET_STACK + 4096);
}

Test(emulator, what_may_not_be_executed_is_named)
{
    expect(CASE_makes_syscall, EMULATOR_SYSCALL, "svc");
    cr_expect_eq(run.pc, start_of(CASE_makes_syscall) + 4);
    cr_expect_eq(run.word, 0xd4000001);
    expect(CASE_masks_interrupts, EMULATOR_FORBIDDEN, "msr daifset");
    expect(CASE_waits, EMULATOR_FORBIDDEN, "wfi");
    expect(CASE_breaks, EMULATOR_FORBIDDEN, "brk");
    expect(CASE_is_vector_length_agnostic, EMULATOR_UNKNOWN, "sve");
    expect(CASE_is_undefined, EMULATOR_UNKNOWN, "");
    cr_expect_eq(run.word, 0x00c0ffee);
}

Test(emulator, a_word_that_makes_the_emulator_give_up_is_named_too)
{
    expect(CASE_is_untranslatable, EMULATOR_UNKNOWN, "");
    cr_expect_eq(run.pc, start_of(CASE_is_untranslatable) + 4);
    cr_expect_eq(run.word, 0x2e793aae);
    use("cortex-a55");
    expect_done(CASE_sum);
}

/* What is written to a descriptor while a word makes Unicorn give up, and then to its stream. */
static void expect_silence(int fd, FILE *stream)
{
    FILE *said = tmpfile();
    int before = dup(fd);
    char text[256] = "";
    cr_assert(said && before >= 0);
    fflush(stream);
    dup2(fileno(said), fd);
    execute(CASE_is_untranslatable, TARGET_WHOLE);
    fputs("after", stream);
    fflush(stream);
    dup2(before, fd);
    close(before);
    rewind(said);
    text[fread(text, 1, sizeof text - 1, said)] = '\0';
    fclose(said);
    cr_expect_eq(run.outcome, EMULATOR_UNKNOWN);
    cr_expect_str_eq(text, "after");
}

Test(emulator, what_unicorn_says_when_it_gives_up_is_not_passed_on)
{
    expect_silence(STDERR_FILENO, stderr);
    use(NULL);
    expect_silence(STDOUT_FILENO, stdout);
}

Test(emulator, an_exclusive_access_has_to_be_aligned)
{
    expect(CASE_loads_askew, EMULATOR_FORBIDDEN, "ldxr at an address that is not aligned");
    cr_expect_eq(run.pc, start_of(CASE_loads_askew) + 4);
}

Test(emulator, the_stack_pointer_has_to_be_aligned_where_it_is_used)
{
    for (int core = 0; core < 2; core++) {
        expect_done(CASE_moves_stack_by_eight);
        cr_expect_eq(result->value, 0);
        expect(CASE_stores_on_odd_stack, EMULATOR_STACK, "str");
        cr_expect_eq(run.pc, start_of(CASE_stores_on_odd_stack) + 16);
        cr_expect_eq(run.sp % 16, 8);
        expect(CASE_pushes_eight, EMULATOR_STACK, "ldr");
        cr_expect_eq(run.pc, start_of(CASE_pushes_eight) + 4);
        expect_done(CASE_sum);
        use("cortex-a55");
    }
}

Test(emulator, what_a_core_lacks_is_named_with_it)
{
    expect_done(CASE_adds_atomically);
    cr_expect_eq(result->value, 10);
    emulator_close(emulator);
    emulator = open_with("cortex-a72", ALL_FEATURES & ~FEATURE_LSE);
    expect(CASE_adds_atomically, EMULATOR_FORBIDDEN, "LSE");
    cr_expect(strstr(run.name, "cortex-a72"), "%s", run.name);
    cr_expect(strstr(run.name, "ldadd"), "%s", run.name);
    emulator_close(emulator);
    emulator = open_with("cortex-a72", FEATURE_CRC32);
    expect(CASE_encrypts, EMULATOR_FORBIDDEN, "AES");
    expect_done(CASE_sum);
}

Test(emulator, the_runner_and_the_inside_of_the_glue_are_out_of_bounds)
{
    expect(CASE_enters_runner, EMULATOR_ESCAPED, "into the runner");
    cr_expect_eq(run.pc, start_of(CASE_enters_runner));
    expect(CASE_enters_runner_middle, EMULATOR_ESCAPED, "into the runner");
    expect(CASE_enters_glue, EMULATOR_ESCAPED, "glue");
    cr_expect_eq(run.pc, start_of(CASE_enters_glue) + 4);
    expect(CASE_enters_function_of_glue, EMULATOR_ESCAPED, "glue");
    expect(CASE_returns_into_glue, EMULATOR_ESCAPED, "glue");
    expect(CASE_goes_to_the_end, EMULATOR_ESCAPED, "past the exercise's glue");
}

Test(emulator, an_endless_loop_ends_by_the_budget)
{
    expect(CASE_spins, EMULATOR_BUDGET, "");
    cr_expect_eq(run.pc, start_of(CASE_spins));
    cr_expect_gt(run.instructions, BUDGET);
    cr_expect_lt(run.instructions, BUDGET + 100);
    expect(CASE_spins_without_end, EMULATOR_BUDGET, "");
    cr_expect_gt(result->value, BUDGET / 4 - 100);
}

Test(emulator, registers_that_do_not_come_back_are_named)
{
    execute(CASE_clobbers_x21, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "x21");
    execute(CASE_clobbers_d9, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "d9");
    execute(CASE_moves_sp, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "sp");
    execute(CASE_flushes_to_zero, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "fpcr");
    execute(CASE_nothing, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_DONE);
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
