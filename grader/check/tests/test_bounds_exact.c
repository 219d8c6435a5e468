#include <criterion/criterion.h>
#include <math.h>

#include "grader/check/bounds.h"

static struct bound_outcome decide(enum bound_kind kind, uint32_t limit, struct exact exact)
{
    struct bound_spec spec = {.kind = kind, .limit = limit, .counter = (char *)"branch-misses"};
    struct bound_outcome outcome;
    exact.core = "cortex-a55";
    bounds_decide_exactly(&spec, &exact, &outcome);
    return outcome;
}

static struct exact cycles(double baseline, double student, double reference)
{
    return (struct exact){
        .cycles = {
            [VARIANT_BASELINE] = baseline, [VARIANT_STUDENT] = student, [VARIANT_REFERENCE] = reference}};
}

static struct exact values(double student, double reference)
{
    return (struct exact){.value = {[VARIANT_STUDENT] = student, [VARIANT_REFERENCE] = reference}};
}

Test(bounds_exact, a_speedup_is_decided_to_the_cycle)
{
    /* allowed: 1000 - 0.9 * 900 = 190 */
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, cycles(1000, 190, 100));
    cr_expect_eq(outcome.decision, DECIDE_PASS);
    cr_expect_eq(outcome.score, 1);
    cr_expect_float_eq(outcome.measured, 1000 / 190.0, 1e-9);
    cr_expect_float_eq(outcome.bound, 1000 / 190.0, 1e-9);
    cr_expect(isnan(outcome.low) && isnan(outcome.high), "an exact value has no interval");
    outcome = decide(BOUND_SPEEDUP, 900, cycles(1000, 191, 100));
    cr_expect_eq(outcome.decision, DECIDE_FAIL);
    cr_expect_float_eq(outcome.score, 0.809 / 0.81, 1e-9);
}

Test(bounds_exact, a_reference_that_gains_nothing_is_no_measure)
{
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 700, cycles(1000, 1000, 910));
    cr_expect(outcome.skip);
    cr_expect(strstr(outcome.reason, "1.10x as fast as the baseline on cortex-a55"), "%s", outcome.reason);
    cr_expect_not(decide(BOUND_SPEEDUP, 700, cycles(1000, 1000, 900)).skip);
}

Test(bounds_exact, no_slower_allows_what_it_allows)
{
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, cycles(1000, 1050, 0)).decision, DECIDE_PASS);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, cycles(1000, 1051, 0)).decision, DECIDE_FAIL);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, cycles(1000, 1051, 0)).score, 0);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, cycles(1000, 1260, 1200)).decision, DECIDE_PASS);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, cycles(1000, 1261, 1200)).decision, DECIDE_FAIL);
    cr_expect_float_eq(decide(BOUND_NO_SLOWER, 50, cycles(1000, 1261, 1200)).bound, 1.26, 1e-9);
}

Test(bounds_exact, agreement_is_asked_either_way)
{
    cr_expect_eq(decide(BOUND_AGREE, 100, values(1.1, 1)).decision, DECIDE_PASS);
    cr_expect_eq(decide(BOUND_AGREE, 100, values(1.1, 1)).trusted, 1);
    cr_expect_eq(decide(BOUND_AGREE, 100, values(1 / 1.099, 1)).decision, DECIDE_PASS);
    cr_expect_eq(decide(BOUND_AGREE, 100, values(1.11, 1)).decision, DECIDE_FAIL);
    cr_expect_eq(decide(BOUND_AGREE, 100, values(0.9, 1)).decision, DECIDE_FAIL);
}

Test(bounds_exact, a_value_that_is_none_fails_and_is_told)
{
    struct bound_outcome outcome = decide(BOUND_AGREE, 100, values(0, 1));
    cr_expect_eq(outcome.decision, DECIDE_FAIL);
    cr_expect_str_eq(outcome.reason, "the value is 0");
    cr_expect_eq(decide(BOUND_AGREE, 100, values(NAN, 1)).decision, DECIDE_FAIL);
    cr_expect_eq(decide(BOUND_AGREE, 100, values(-1, 1)).decision, DECIDE_FAIL);
}

Test(bounds_exact, a_counter_may_reach_its_limit)
{
    struct bound_outcome outcome = decide(BOUND_COUNTER, 20, (struct exact){.counter = 0.02});
    cr_expect_eq(outcome.decision, DECIDE_PASS);
    cr_expect_str_eq(outcome.metric, "branch-misses");
    cr_expect_eq(decide(BOUND_COUNTER, 20, (struct exact){.counter = 0.021}).decision, DECIDE_FAIL);
    cr_expect_not(outcome.skip);
}
