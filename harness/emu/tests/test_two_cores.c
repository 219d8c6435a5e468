/* Calls with parts: two cores with an L1D each, coherent, in turns. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/core/core_file.h"
#include "harness/emu/emulator_internal.h"
#include "harness/emu/tests/target_pair.h"

enum { WORDS = 512, ROUNDS = 1000, BUDGET = 10 * 1000 * 1000, ALL_FEATURES = 0xffff };

static const char *const cores[] = {"cortex-a55", "cortex-a72", "neoverse-n1", "neoverse-v1"};
enum { CORES = sizeof cores / sizeof *cores };

static char program[64];
static struct arena *arena;
static struct emulator *emulator;
static struct core core;
static struct emulator_run run;
static struct model_counts counts;
static struct pair_args *args;
static struct pair_result *result;
static uint64_t *shared;

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
             "%s/runner/aarch64/runner.o harness/emu/tests/target_pair_glue.c "
             "harness/emu/tests/target_pair_student.S",
             program, dirname(self));
    cr_assert_eq(system(command), 0, "%s", command);
}

static void use(const char *name)
{
    struct error err;
    emulator_close(emulator);
    if (name)
        cr_assert(core_read(".", name, &core, &err), "%s", err.text);
    const struct emulator_config config = {
        .program = program, .core = name ? &core : NULL, .features = ALL_FEATURES, .budget = BUDGET};
    emulator = emulator_open(&config, arena, &err);
    cr_assert(emulator, "%s", err.text);
}

static void before(void)
{
    struct error err;
    build();
    arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    arena_reset(arena);
    args = arena_alloc(arena, sizeof *args, 8, PLAN_READ, ARENA_AT_START);
    result = arena_alloc(arena, sizeof *result, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    shared = arena_alloc(arena, WORDS * sizeof *shared, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    struct plan *plan = arena_plan(arena);
    plan->calls = 1;
    plan->parts = 2;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)result;
}

static void after(void)
{
    emulator_close(emulator);
    arena_destroy(arena);
    unlink(program);
}

/* cppcheck-suppress unknownMacro */
TestSuite(two_cores, .init = before, .fini = after);

static void execute(enum pair_case which, uint64_t n)
{
    memset(shared, 0, WORDS * sizeof *shared);
    result->sum = 0;
    *args = (struct pair_args){shared, n, which};
    if (emulator_model(emulator))
        emulator_forget_counts(emulator);
    emulator_execute(emulator, 0, 1, &run);
    if (emulator_model(emulator))
        emulator_count(emulator, &counts);
}

static void make(enum pair_case which, uint64_t n)
{
    execute(which, n);
    cr_assert_eq(run.outcome, EMULATOR_DONE, "case %d: outcome %d at 0x%" PRIx64 ": %s", (int)which,
                 (int)run.outcome, run.pc, run.name);
}

static uint64_t value(enum model_event event)
{
    return counts.value[event];
}

/* ---- results ---- */

Test(two_cores, both_parts_are_made_and_then_the_last)
{
    for (int i = -1; i < CORES; i++) {
        use(i < 0 ? NULL : cores[i]);
        make(PAIR_padded, ROUNDS);
        cr_expect_eq(shared[0], ROUNDS);
        cr_expect_eq(shared[16], ROUNDS);
        cr_expect_eq(result->sum, 2 * ROUNDS);
        cr_expect_gt(run.instructions, 2 * 5 * ROUNDS);
        cr_expect_lt(run.instructions, 2 * 5 * ROUNDS + 100);
    }
}

Test(two_cores, updates_that_are_none_are_lost)
{
    for (int i = -1; i < CORES; i++) {
        use(i < 0 ? NULL : cores[i]);
        make(PAIR_plain, ROUNDS);
        cr_expect_geq(shared[0], ROUNDS);
        cr_expect_lt(shared[0], 2 * ROUNDS - ROUNDS / 10, "%" PRIu64, shared[0]);
    }
}

Test(two_cores, no_atomic_update_is_lost)
{
    static const enum pair_case whole[] = {PAIR_exclusive, PAIR_ordered, PAIR_atomic};
    for (int i = -1; i < CORES; i++) {
        use(i < 0 ? NULL : cores[i]);
        for (unsigned k = 0; k < 3; k++) {
            make(whole[k], ROUNDS);
            cr_expect_eq(shared[0], 2 * ROUNDS, "case %d: %" PRIu64, (int)whole[k], shared[0]);
        }
    }
}

Test(two_cores, a_store_exclusive_fails_when_the_line_was_written_whatever_its_value)
{
    for (int i = -1; i < CORES; i++) {
        use(i < 0 ? NULL : cores[i]);
        make(PAIR_same_value, ROUNDS / 5);
        cr_expect_gt(shared[16], ROUNDS / 20, "core %d: %" PRIu64, i, shared[16]);
    }
}

Test(two_cores, one_waits_for_the_other)
{
    for (int i = -1; i < CORES; i++) {
        use(i < 0 ? NULL : cores[i]);
        make(PAIR_waits, ROUNDS);
        cr_expect_eq(shared[0], 7);
        make(PAIR_passes, ROUNDS);
        cr_expect_eq(shared[16], ROUNDS);
    }
}

Test(two_cores, waiting_for_ever_ends_with_the_budget)
{
    for (int i = -1; i < 2; i++) {
        use(i < 0 ? NULL : cores[i]);
        execute(PAIR_waits_forever, 1);
        cr_expect_eq(run.outcome, EMULATOR_BUDGET);
        cr_expect_gt(run.instructions + run.charged, BUDGET);
        cr_expect_eq(run.part, 0);
        make(PAIR_padded, ROUNDS); /* and nothing is left of it */
        cr_expect_eq(result->sum, 2 * ROUNDS);
    }
}

/* The same code with these pauses: is it found out that it waits? */
static bool waits(const char *core_name, uint64_t pauses, enum pair_case kind)
{
    bool found = false;
    use(core_name);
    emulator_stand_still(emulator, pauses);
    *args = (struct pair_args){shared, ROUNDS, kind};
    for (unsigned time = 0; time < 3 && !found; time++) {
        memset(shared, 0, WORDS * sizeof *shared);
        emulator_execute(emulator, 0, 1, &run);
        cr_expect_eq(run.waits, run.outcome == EMULATOR_BUDGET);
        cr_expect(time > 0 || !run.waits, "a call that is not known stands still nowhere");
        found = run.waits;
    }
    return found;
}

/* The first one waits for the end of the second, which stands still in every other call, from the first one
 * on or from the second. */
Test(two_cores, who_waits_for_one_that_stands_still_does_not_come_to_an_end)
{
    for (int i = -1; i < 2; i++)
        for (uint64_t pauses = 1; pauses <= 20; pauses += pauses < 4 ? 1 : 4) {
            const char *name = i < 0 ? NULL : cores[i];
            cr_expect_not(waits(name, pauses, PAIR_atomic));
            cr_expect_eq(shared[0], 2 * ROUNDS, "%" PRIu64, shared[0]);
            cr_expect(waits(name, pauses, PAIR_waits));
            cr_expect_eq(run.part, 0);
        }
}

Test(two_cores, what_the_second_core_does_wrong_is_told)
{
    for (int i = -1; i < 2; i++) {
        use(i < 0 ? NULL : cores[i]);
        execute(PAIR_faults, ROUNDS);
        cr_expect_eq(run.outcome, EMULATOR_FAULT);
        cr_expect_eq(run.address, 1);
        cr_expect_eq(run.part, 1);
        cr_expect_eq(result->sum, 0);
        execute(PAIR_clobbers, ROUNDS);
        cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
        cr_expect_str_eq(run.name, "x20");
    }
}

Test(two_cores, what_is_one_parts_alone_the_other_core_does_not_have)
{
    for (unsigned owner = 0; owner < 2; owner++)
        for (int i = -1; i < 1; i++) {
            struct plan *plan = arena_plan(arena);
            for (uint32_t r = 0; r < plan->region_count; r++)
                if ((uint64_t)shared - plan->regions[r].address < plan->regions[r].size)
                    plan->regions[r].access = PLAN_READ | PLAN_WRITE | (owner ? PLAN_ONLY_1 : PLAN_ONLY_0);
            use(i < 0 ? NULL : cores[i]);
            execute(PAIR_padded, ROUNDS);
            cr_expect_eq(run.outcome, EMULATOR_FAULT);
            cr_expect_eq(run.part, 1 - owner);
            cr_expect_eq(run.address, (uint64_t)(shared + 16 * (1 - owner)));
        }
}

/* On either core; without a guard it is memory as any other. */
Test(two_cores, what_is_the_glues_alone_student_code_does_not_have)
{
    struct error err;
    struct plan *plan = arena_plan(arena);
    for (uint32_t r = 0; r < plan->region_count; r++)
        if ((uint64_t)shared - plan->regions[r].address < plan->regions[r].size)
            plan->regions[r].access = PLAN_READ | PLAN_WRITE | PLAN_GLUE;
    cr_expect(plan_guards(plan));
    use(NULL);
    make(PAIR_padded, ROUNDS);
    const struct emulator_config config = {
        .program = program, .features = ALL_FEATURES, .budget = BUDGET, .guards = true};
    emulator_close(emulator);
    emulator = emulator_open(&config, arena, &err);
    cr_assert(emulator, "%s", err.text);
    execute(PAIR_padded, ROUNDS);
    cr_expect_eq(run.outcome, EMULATOR_GUARDED, "%d", run.outcome);
    cr_expect_eq(run.address, (uint64_t)shared);
    cr_expect_eq(run.access, PLAN_READ);
}

Test(two_cores, a_plan_for_more_is_refused)
{
    use(NULL);
    arena_plan(arena)->parts = 3;
    execute(PAIR_padded, 1);
    cr_expect_eq(run.outcome, EMULATOR_ERROR);
    arena_plan(arena)->parts = 2;
    arena_plan(arena)->entry = 1; /* no entry is left for the end */
    execute(PAIR_padded, 1);
    cr_expect_eq(run.outcome, EMULATOR_ERROR);
    arena_plan(arena)->entry = 0;
}

/* ---- what it costs ---- */

Test(two_cores, a_line_that_both_write_goes_to_and_fro)
{
    for (int i = 0; i < CORES; i++) {
        use(cores[i]);
        make(PAIR_padded, ROUNDS);
        uint64_t padded = value(MODEL_CYCLES);
        cr_expect_leq(value(MODEL_LINE_TRANSFERS), 4, "%s: %" PRIu64, cores[i], value(MODEL_LINE_TRANSFERS));
        cr_expect_eq(value(MODEL_ATOMICS), 0);
        make(PAIR_same_line, ROUNDS);
        uint64_t line = value(MODEL_CYCLES), transfers = value(MODEL_LINE_TRANSFERS);
        cr_expect_eq(result->sum, 2 * ROUNDS);
        cr_expect_gt(line, 2 * padded, "%s: %" PRIu64 " and %" PRIu64, cores[i], line, padded);
        cr_expect_gt(transfers, ROUNDS / 4);
        cr_expect_leq(transfers, 2 * ROUNDS + 4);
        make(PAIR_atomic, ROUNDS);
        cr_expect_gt(value(MODEL_LINE_TRANSFERS), 2 * ROUNDS - ROUNDS / 10, "%s: %" PRIu64, cores[i],
                     value(MODEL_LINE_TRANSFERS));       /* one for each */
        cr_expect_geq(value(MODEL_ATOMICS), 2 * ROUNDS); /* failed ones too */
        cr_expect_leq(value(MODEL_ATOMICS), 4 * ROUNDS);
        cr_expect_leq(value(MODEL_LINE_TRANSFERS), 2 * ROUNDS + 4);
        cr_expect_gt(value(MODEL_CYCLES), 10 * padded);
    }
}

Test(two_cores, lines_that_both_read_cost_nothing_more)
{
    for (int i = 0; i < CORES; i++) {
        use(cores[i]);
        make(PAIR_reads, ROUNDS); /* now both have them */
        make(PAIR_reads, ROUNDS);
        cr_expect_eq(value(MODEL_LINE_TRANSFERS), 0, "%" PRIu64, value(MODEL_LINE_TRANSFERS));
        cr_expect_leq(value(MODEL_INVALIDATIONS), 2);
        uint64_t misses = value(MODEL_L1D_MISSES);
        make(PAIR_reads, 2 * ROUNDS);
        cr_expect_leq(value(MODEL_L1D_MISSES), misses + 4);
    }
}

Test(two_cores, the_time_is_that_of_the_later_core)
{
    for (int i = 0; i < CORES; i++) {
        use(cores[i]);
        make(PAIR_lopsided, ROUNDS);
        cr_expect_eq(emulator_later(emulator), emulator->second->model);
        make(PAIR_padded, 4 * ROUNDS);
        uint64_t four = value(MODEL_CYCLES);
        make(PAIR_lopsided, ROUNDS);
        cr_expect_lt(value(MODEL_CYCLES), four + four / 20, "%" PRIu64 " for %" PRIu64, value(MODEL_CYCLES),
                     four);
        cr_expect_gt(value(MODEL_CYCLES), four - four / 20);
        cr_expect_eq(value(MODEL_INSTRUCTIONS), run.instructions);
    }
}

Test(two_cores, both_accounts_add_up)
{
    for (int i = 0; i < CORES; i++) {
        use(cores[i]);
        make(PAIR_same_line, ROUNDS);
        struct model *const models[] = {emulator->model, emulator->second->model};
        for (unsigned m = 0; m < 2; m++) {
            struct model_counts each;
            uint64_t cycles = 0, slots = 0, other = 0;
            size_t count;
            emulator_code(emulator, &count);
            model_count(models[m], &each);
            const struct model_site *sites = model_sites(models[m]);
            for (size_t s = 0; s < count; s++) {
                for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++)
                    cycles += sites[s].cycles[wait];
                for (unsigned kind = 0; kind < 5; kind++)
                    slots += sites[s].slots[kind];
                other += sites[s].cycles[MODEL_WAIT_OTHER] + sites[s].cycles[MODEL_WAIT_STORE];
            }
            cr_expect_eq(cycles, each.value[MODEL_CYCLES], "%s: %" PRIu64 " of %" PRIu64, cores[i], cycles,
                         each.value[MODEL_CYCLES]);
            cr_expect_eq(slots, cycles * core.width);
            cr_expect_gt(other, cycles / 2, "%s: %" PRIu64 " of %" PRIu64, cores[i], other, cycles);
        }
    }
}

Test(two_cores, ordinary_calls_before_and_after_cost_what_they_do_alone)
{
    use("neoverse-n1");
    arena_plan(arena)->parts = 0;
    make(PAIR_plain, ROUNDS);
    make(PAIR_plain, ROUNDS);
    const uint64_t alone = value(MODEL_CYCLES);
    cr_expect_eq(shared[0], ROUNDS);
    arena_plan(arena)->parts = 2;
    make(PAIR_padded, ROUNDS);
    arena_plan(arena)->parts = 0;
    make(PAIR_plain, ROUNDS);
    make(PAIR_plain, ROUNDS);
    make(PAIR_plain, ROUNDS);
    cr_expect_eq(value(MODEL_CYCLES), alone, "%" PRIu64 " for %" PRIu64, value(MODEL_CYCLES), alone);
    cr_expect_eq(value(MODEL_LINE_TRANSFERS), 0);
}

Test(two_cores, fifty_runs_count_the_same)
{
    struct model_counts first = {0};
    for (unsigned i = 0; i < 50; i++) {
        use(cores[i % 2 ? 2 : 0]);
        make(PAIR_exclusive, 200);
        make(PAIR_same_line, 200);
        if (i < 2)
            continue;
        const struct model_counts again = counts;
        use(cores[i % 2 ? 2 : 0]);
        make(PAIR_exclusive, 200);
        make(PAIR_same_line, 200);
        first = counts;
        cr_assert_eq(memcmp(&first, &again, sizeof first), 0, "run %u", i);
    }
}
