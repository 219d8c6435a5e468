/* Between what is timed, natively, the student's code gets what other cases ask, in processes of the same
 * kind. */
#include <string.h>

#include "grader/base/isa.h"
#include "grader/check/bench.h"
#include "harness/clock/clock.h"
#include "harness/runner/tests/target_kit.h"

enum { FILLS = 4096, ELEMENTS = 100000 /* some 100 us: longer than a hand-over wherever it runs */ };

struct add_args {
    int32_t *values;
    uint64_t n;
};

/* What was drawn for each filling of the timed case and of another one, and how often each was looked at. */
static uint64_t drawn[FILLS];
static size_t fills, timed, other;

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(int32_t), sizeof(int32_t), PLAN_READ | PLAN_WRITE);
}

static void fill(struct lab *lab, struct call *call)
{
    if (fills < FILLS)
        drawn[fills++] = draw_next(&lab->draw);
    *(struct add_args *)call->args = (struct add_args){call->buffer[0], call->n};
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const int32_t *values = call->buffer[0];
    (void)lab;
    timed++;
    return values[0] == 1 || finding(why, "values[0] is %d", values[0]);
}

static bool verify_other(struct lab *lab, const struct call *call, struct finding *why)
{
    other++;
    timed--;
    return verify(lab, call, why);
}

static bool wrong(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    (void)call;
    return finding(why, "something else was asked");
}

#define CASE(NAME, VERIFY)                                                                                   \
    {                                                                                                        \
        .name = (NAME), .entry = ADD_ONE, .args_size = sizeof(struct add_args), .result_size = 8,            \
        .allocate = allocate, .fill = fill, .zeroed = 1, .verify = (VERIFY)                                  \
    }

static const struct case_def ones = CASE("ones", verify), right = CASE("right", verify_other),
                             never = CASE("never", wrong);

static double now(void)
{
    return (double)clock_begin() / clock_frequency();
}

static char program[64];
static struct arena *arena;
static struct bench *bench;

static void open_bench(void)
{
    struct bench_config config = {.cpu = -1, .second = -1, .tier = TIER_CLOCK};
    struct error err;
    target_build(program, isa_name(isa_native()), "gcc");
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
        for (enum role role = 0; role < ROLES; role++)
            config.program[epoch][role] = program;
    arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    bench = bench_open(&config, arena);
    cr_assert(bench);
    fills = timed = other = 0;
}

static void close_bench(void)
{
    bench_close(bench);
    arena_destroy(arena);
    unlink(program);
}

static struct bench_task task_of(const struct bench_other *others, size_t count, double budget)
{
    static const struct bound_spec spec = {.kind = BOUND_NO_SLOWER, .limit = 1000};
    static const struct bound_spec *const bounds[] = {&spec};
    return (struct bench_task){.def = &ones,
                               .others = others,
                               .others_count = count,
                               .elements = ELEMENTS,
                               .calls = 1,
                               .seed = 5,
                               .bounds = bounds,
                               .bounds_count = 1,
                               .budget = budget,
                               .quick = true,
                               .now = now,
                               .end = now() + 60};
}

static struct bench_report measure(const struct bench_other *others, size_t count, double budget)
{
    struct bench_report report;
    open_bench();
    const struct bench_task task = task_of(others, count, budget);
    struct measuring *measuring = bench_measuring_open(bench, &task, &report);
    cr_assert(measuring);
    bench_measure(measuring);
    bench_measure_end(measuring);
    bench_measuring_close(measuring);
    close_bench();
    return report;
}

static void nothing_came_twice(void)
{
    cr_assert_lt(fills, FILLS);
    for (size_t i = 0; i < fills; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(drawn[i], drawn[j], "fillings %zu and %zu", i, j);
}

Test(bench_rehearsal, other_cases_are_made_between_what_is_timed_and_nothing_comes_twice)
{
    const struct bench_other others[] = {{&right, false}, {&right, false}};
    const struct bench_report report = measure(others, 2, 4);
    cr_expect_eq(report.outcome, BENCH_MEASURED, "%s", report.message);
    cr_expect_null(report.rehearsed);
    cr_expect_gt(timed, 4 * 32);
    cr_expect_geq(other, 4, "both, between each two looks: %zu", other);
    nothing_came_twice();
}

Test(bench_rehearsal, however_little_time_there_is_each_has_its_turn)
{
    const struct bench_other others[] = {{&right, false}, {&right, false}, {&right, false}};
    const struct bench_report report = measure(others, 3, 0);
    cr_expect_eq(report.outcome, BENCH_MEASURED, "%s", report.message);
    cr_expect_geq(other, 3);
}

Test(bench_rehearsal, what_is_wrong_there_is_told_and_of_a_hidden_case_its_length_alone)
{
    for (int hidden = 0; hidden < 2; hidden++) {
        const struct bench_other others[] = {{&right, false}, {&never, hidden}};
        const struct bench_report report = measure(others, 2, 1);
        cr_expect_eq(report.outcome, BENCH_WRONG);
        cr_expect(report.rehearsed && report.rehearsed->def == &never);
        cr_expect_str_eq(
            report.message,
            hidden ? "wrong result in a call with n = 100000, like the timed ones and between them; "
                     "this case is hidden"
                   : "wrong result in a call with n = 100000 of `never`, like the timed ones and "
                     "between them: something else was asked");
    }
}

/* The rest of its time is for what nobody waits for. */
Test(bench_rehearsal, where_only_a_verdict_is_asked_the_first_look_that_has_one_is_the_last)
{
    struct bench_report report;
    open_bench();
    struct bench_task task = task_of(NULL, 0, 20);
    task.only_decide = true;
    struct measuring *measuring = bench_measuring_open(bench, &task, &report);
    cr_assert(measuring);
    const bool goes_on = bench_measure(measuring);
    if (!bench_settled(measuring))
        cr_skip_test("the machine is too busy for a verdict in 20 s");
    const size_t before = report.roles[ROLE_STUDENT].slices;
    cr_expect(stats_checkpoint(before), "%zu slices", before);
    cr_expect(goes_on || before > STATS_FIRST_LOOK);
    task.only_decide = false;
    if (goes_on)
        bench_measure(measuring);
    bench_measure_end(measuring);
    bench_measuring_close(measuring);
    cr_expect_eq(report.outcome, BENCH_MEASURED, "%s", report.message);
    cr_expect(report.bounds[0].settled);
    cr_expect(!goes_on || report.roles[ROLE_STUDENT].slices > before, "more digits");
    close_bench();
}

Test(bench_rehearsal, what_is_undecided_goes_on_with_its_turns_after_another_was_measured)
{
    const struct bench_other others[] = {{&right, false}};
    struct bench_report reports[2];
    struct bench_task tasks[2];
    struct measuring *measuring[2];
    open_bench();
    for (int i = 0; i < 2; i++) {
        tasks[i] = task_of(others, 1, 1e-9);
        tasks[i].seed = 5 + (uint64_t)i;
        measuring[i] = bench_measuring_open(bench, &tasks[i], &reports[i]);
        cr_assert(measuring[i]);
        cr_expect(bench_measure(measuring[i]), "%s", reports[i].message);
    }
    const size_t before = reports[0].roles[ROLE_STUDENT].slices;
    cr_expect_lt(before, STATS_FIRST_LOOK);
    tasks[0].budget += 2;
    bench_measure(measuring[0]);
    for (int i = 0; i < 2; i++) {
        bench_measure_end(measuring[i]);
        bench_measuring_close(measuring[i]);
        cr_expect_eq(reports[i].outcome, BENCH_MEASURED, "%s", reports[i].message);
    }
    cr_expect_gt(reports[0].roles[ROLE_STUDENT].slices, before, "the first turns count");
    cr_expect_eq(reports[0].roles[ROLE_STUDENT].slices, reports[0].roles[ROLE_REFERENCE].slices);
    cr_expect_not(reports[1].bounds[0].settled);
    cr_expect_geq(other, 2, "each has its turn, however short the time");
    nothing_came_twice();
    close_bench();
}
