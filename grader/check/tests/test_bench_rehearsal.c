/* Between what is timed, natively, the student's code gets what other cases ask, in processes of the same
 * kind. */
#include <string.h>

#include "grader/base/isa.h"
#include "grader/check/bench.h"
#include "harness/clock/clock.h"
#include "harness/runner/tests/target_kit.h"

enum { FILLS = 4096 };

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

static struct bench_report measure(const struct bench_other *others, size_t count, double budget)
{
    static char program[64];
    const struct bound_spec spec = {.kind = BOUND_NO_SLOWER, .limit = 1000};
    const struct bound_spec *const bounds[] = {&spec};
    struct bench_config config = {.cpu = -1, .second = -1, .tier = TIER_CLOCK};
    struct bench_report report;
    struct layout *layout;
    struct error err;
    target_build(program, isa_name(isa_native()), "gcc");
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
        for (enum role role = 0; role < ROLES; role++)
            config.program[epoch][role] = program;
    struct arena *arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    struct bench *bench = bench_open(&config, arena);
    cr_assert(bench);
    const struct bench_task task = {.def = &ones,
                                    .others = others,
                                    .others_count = count,
                                    .elements = 1000,
                                    .calls = 1,
                                    .seed = 5,
                                    .bounds = bounds,
                                    .bounds_count = 1,
                                    .budget = budget,
                                    .quick = true,
                                    .now = now,
                                    .end = now() + 60};
    fills = timed = other = 0;
    bench_measure(bench, &task, &report, &layout);
    layout_close(layout);
    bench_close(bench);
    arena_destroy(arena);
    unlink(program);
    return report;
}

Test(bench_rehearsal, other_cases_are_made_between_what_is_timed_and_nothing_comes_twice)
{
    const struct bench_other others[] = {{&right, false}, {&right, false}};
    const struct bench_report report = measure(others, 2, 1);
    cr_expect_eq(report.outcome, BENCH_MEASURED, "%s", report.message);
    cr_expect_null(report.rehearsed);
    cr_expect_gt(timed, 4 * 32);
    cr_expect_geq(other, 4, "both, between each two looks: %zu", other);
    cr_assert_lt(fills, FILLS);
    for (size_t i = 0; i < fills; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(drawn[i], drawn[j], "fillings %zu and %zu", i, j);
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
        cr_expect_str_eq(report.message,
                         hidden
                             ? "wrong result in a call with n = 1000, like the timed ones and between them; "
                               "this case is hidden"
                             : "wrong result in a call with n = 1000 of `never`, like the timed ones and "
                               "between them: something else was asked");
    }
}
