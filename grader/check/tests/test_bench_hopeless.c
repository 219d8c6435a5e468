#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grader/check/bench_internal.h"

/* So many slices of each, of so many seconds, and a thousandth of a second of the grader's for each. */
static void spend(struct bench_spent spent[ROLES], size_t slices, double student, double others)
{
    memset(spent, 0, ROLES * sizeof *spent);
    for (size_t i = 0; i < slices; i++)
        for (enum role role = 0; role < ROLES; role++) {
            const double own = role == ROLE_STUDENT ? student : role == ROLE_REFERENCE ? others / 4 : others;
            bench_spent_add(&spent[role], &(struct slice){.own = own, .grader = 0.001});
        }
}

Test(bench_hopeless, too_slow_for_rounds_is_hopeless_and_a_busy_machine_is_not)
{
    struct bench_spent spent[ROLES];
    double seconds[ROLES];
    spend(spent, 5, 1, 0.001);
    cr_expect(bench_hopeless_at_last(spent, ROLE_BASELINE, 5, 8, seconds));
    cr_expect_float_eq(seconds[ROLE_STUDENT], 1, 1e-9);
    cr_expect_float_eq(seconds[ROLE_BASELINE], 0.001, 1e-9);
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 17, 8, seconds), "there is an interval");
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 5, 18, seconds), "17 would have fitted");
    spend(spent, 5, 0.001, 0.001);
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 5, 8, seconds), "others had the CPUs");
    spend(spent, 1, 0.00025, 0.001);
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 1, 1e-6, seconds), "there was no time");
    spend(spent, 5, 2.5, 1);
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 5, 8, seconds), "the machine is slow");
}

Test(bench_hopeless, one_long_slice_proves_nothing_and_every_other_does)
{
    struct bench_spent spent[ROLES];
    double seconds[ROLES];
    spend(spent, 5, 0.001, 0.001);
    bench_spent_add(&spent[ROLE_STUDENT], &(struct slice){.own = 30});
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 6, 8, seconds));
    for (int i = 0; i < 4; i++)
        bench_spent_add(&spent[ROLE_STUDENT], &(struct slice){.own = 2});
    cr_expect(bench_hopeless_at_last(spent, ROLE_BASELINE, 10, 8, seconds));
    spend(spent, 1, 30, 0.001);
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 1, 8, seconds));
    cr_expect(bench_hopeless_perhaps(spent, ROLE_BASELINE, 8), "another one will tell");
    spend(spent, 1, 0.001, 0.001);
    cr_expect_not(bench_hopeless_perhaps(spent, ROLE_BASELINE, 8));
    cr_expect_not(bench_hopeless_perhaps(spent, ROLE_BASELINE, 1e-6), "it is no slower");
}

Test(bench_hopeless, nobody_is_where_the_kernel_does_not_tell)
{
    struct bench_spent spent[ROLES];
    double seconds[ROLES];
    spend(spent, 5, NAN, NAN);
    cr_expect_not(bench_hopeless_at_first(spent, ROLE_BASELINE, 1, 1, seconds));
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 5, 1, seconds));
}

Test(bench_hopeless, nobody_is_where_the_reference_gains_nothing)
{
    struct bench_spent spent[ROLES];
    double seconds[ROLES];
    spend(spent, 4, 1, 0.001);
    cr_expect(bench_hopeless_at_first(spent, ROLE_BASELINE, 1, 8, seconds));
    cr_expect(bench_hopeless_at_last(spent, ROLE_BASELINE, 4, 8, seconds));
    spent[ROLE_REFERENCE] = spent[ROLE_BASELINE];
    cr_expect_not(bench_hopeless_at_first(spent, ROLE_BASELINE, 1, 8, seconds));
    cr_expect_not(bench_hopeless_at_last(spent, ROLE_BASELINE, 4, 8, seconds));
    cr_expect(bench_hopeless_at_last(spent, ROLE_REFERENCE, 4, 8, seconds), "where there is no baseline");
}

Test(bench_hopeless, at_first_the_twin_at_its_worst_counts)
{
    struct bench_spent spent[ROLES];
    double seconds[ROLES];
    spend(spent, 4, 1, 0.1);
    cr_expect(bench_hopeless_at_first(spent, ROLE_BASELINE, 1, 8, seconds));
    cr_expect_not(bench_hopeless_at_first(spent, ROLE_BASELINE, 1, 60, seconds), "it can be measured");
    cr_expect(bench_hopeless_at_first(spent, ROLE_BASELINE, 2, 60, seconds), "not in slices of two calls");
    bench_spent_add(&spent[ROLE_BASELINE], &(struct slice){.own = 0.4});
    cr_expect_not(bench_hopeless_at_first(spent, ROLE_BASELINE, 1, 8, seconds));
    cr_expect_float_eq(seconds[ROLE_BASELINE], 0.1, 1e-9);
}

static double no_value(const struct lab *lab, const struct call *call)
{
    (void)lab;
    (void)call;
    return 0;
}

static struct bound_outcome give_up(enum bound_kind kind, bool value)
{
    const struct bound_spec spec = {.kind = kind, .limit = 500, .counter = "branch-misses"};
    const struct bound_spec *const bounds[] = {&spec};
    const struct case_def def = {.value = value ? no_value : NULL};
    const struct bench_task task = {.def = &def, .bounds = bounds, .bounds_count = 1};
    const double seconds[ROLES] = {
        [ROLE_BASELINE] = 1, [ROLE_STUDENT] = 8, [ROLE_REFERENCE] = 0.5, [ROLE_CONTROL] = 1};
    struct bench_report report = {0};
    bench_give_up(&task, TIER_CLOCK, ROLE_BASELINE, seconds, &report);
    cr_expect(report.control_straddles && report.undisturbed);
    cr_expect_eq(report.bounds[0].decision, DECIDE_FAIL);
    cr_expect(strstr(report.bounds[0].reason, "8 times slower than the baseline: not measured further"));
    return report.bounds[0];
}

Test(bench_hopeless, who_is_given_up_fails_every_bound_that_is_asked)
{
    struct bound_outcome outcome = give_up(BOUND_SPEEDUP, false);
    cr_expect_float_eq(outcome.measured, 0.125, 1e-9);
    cr_expect_float_eq(outcome.bound, 4.0 / 3, 1e-9);
    outcome = give_up(BOUND_NO_SLOWER, false);
    cr_expect_float_eq(outcome.measured, 8, 1e-9);
    cr_expect_float_eq(outcome.bound, 1.5, 1e-9);
    cr_expect_float_eq(give_up(BOUND_AGREE, false).measured, 8, 1e-9);
    cr_expect(isnan(give_up(BOUND_AGREE, true).measured), "a value is none of its time");
    cr_expect(give_up(BOUND_COUNTER, false).skip, "no machine without counters is asked for them");
}
