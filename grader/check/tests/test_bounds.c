#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grader/check/bounds.h"
#include "harness/base/rng.h"

enum { ROUNDS = 32 };

/* Rounds in which each role takes its time, give or take `noise` (a part of it), the same machine-wide factor
 * on all roles of a round. */
static struct rounds make_rounds(double b, double s, double r, double noise)
{
    struct rounds rounds;
    struct rng rng = {7};
    const double times[ROLES] = {
        [ROLE_BASELINE] = b, [ROLE_STUDENT] = s, [ROLE_REFERENCE] = r, [ROLE_CONTROL] = b};
    cr_assert(rounds_allocate(&rounds));
    rounds.count = ROUNDS;
    for (size_t i = 0; i < ROUNDS; i++) {
        double machine = 1 + rng_unit(&rng);
        rounds.epoch[i] = (unsigned char)(i % EPOCHS);
        for (int role = 0; role < ROLES; role++) {
            rounds.present[role] = true;
            rounds.time[role][i] = times[role] * machine * (1 + noise * (rng_unit(&rng) - 0.5));
            rounds.mean[role][i] = rounds.value[role][i] = rounds.time[role][i];
        }
    }
    return rounds;
}

static struct bound_outcome decide(enum bound_kind kind, uint32_t limit, struct rounds *rounds)
{
    struct bound_spec spec = {.kind = kind, .limit = limit, .counter = "branch-misses"};
    struct bound_outcome outcome;
    bounds_decide(&spec, rounds, &outcome);
    rounds_free(rounds);
    return outcome;
}

Test(bounds, a_speedup_above_its_share_passes)
{
    struct rounds rounds = make_rounds(1000, 150, 100, 0.05); /* allowed: 1000 - 0.9 * 900 = 190 */
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_PASS);
    cr_expect_float_eq(outcome.bound, 5.26, 0.2);
    cr_expect_float_eq(outcome.measured, 6.67, 0.2);
    cr_expect_eq(outcome.score, 1);
}

Test(bounds, the_control_counts_as_much_as_the_baseline)
{
    struct rounds rounds = make_rounds(1000, 150, 100, 0);
    for (size_t i = 0; i < rounds.count; i++) {
        rounds.time[ROLE_BASELINE][i] *= i % 2 ? 4 : 1;
        rounds.time[ROLE_CONTROL][i] *= i % 2 ? 1 : 4;
    }
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_float_eq(outcome.measured, 2000.0 / 150, 1e-9);
    cr_expect_float_eq(outcome.low, 2000.0 / 150, 1e-9);
}

Test(bounds, a_speedup_below_its_share_fails_with_a_part_of_the_score)
{
    struct rounds rounds = make_rounds(1000, 400, 100, 0.05);
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_FAIL);
    cr_expect_float_eq(outcome.score, 0.6 / (0.9 * 0.9), 0.02);
}

Test(bounds, at_the_bound_there_is_no_verdict_and_the_reason_tells)
{
    struct rounds rounds = make_rounds(1000, 190, 100, 0.2);
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
    cr_expect_not(outcome.skip);
    cr_expect_neq(outcome.reason[0], '\0');
}

Test(bounds, a_reference_without_gain_is_a_skip)
{
    struct rounds rounds = make_rounds(1000, 1000, 980, 0.02);
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 700, &rounds);
    cr_expect(outcome.skip);
    cr_expect_neq(outcome.reason[0], '\0');
}

Test(bounds, a_reference_of_unclear_gain_is_no_verdict)
{
    struct rounds rounds = make_rounds(1100, 500, 1000, 0.3);
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 700, &rounds);
    cr_expect_not(outcome.skip);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
}

Test(bounds, no_slower_allows_its_tolerance_and_no_more)
{
    struct rounds good = make_rounds(1000, 1030, 900, 0.01), bad = make_rounds(1000, 1080, 900, 0.01),
                  unclear = make_rounds(1000, 1050, 900, 0.1);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, &good).decision, DECIDE_PASS);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, &bad).decision, DECIDE_FAIL);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, &unclear).decision, DECIDE_MORE);
}

Test(bounds, no_slower_never_asks_for_more_than_the_reference_reaches)
{
    struct rounds good = make_rounds(1000, 2060, 2000, 0.01), bad = make_rounds(1000, 2160, 2000, 0.01);
    struct bound_outcome outcome = decide(BOUND_NO_SLOWER, 50, &good);
    cr_expect_eq(outcome.decision, DECIDE_PASS);
    cr_expect_float_eq(outcome.bound, 2.1, 0.05);
    cr_expect_eq(decide(BOUND_NO_SLOWER, 50, &bad).decision, DECIDE_FAIL);
}

/* The student is slow in some epochs only: so many times slower. */
static struct rounds make_epochs(double s, unsigned slow, double slower)
{
    struct rounds rounds = make_rounds(1000, s, 100, 0.01);
    for (size_t i = 0; i < ROUNDS; i++) {
        rounds.epoch[i] = (unsigned char)(i * EPOCHS / ROUNDS);
        if (rounds.epoch[i] < slow)
            rounds.time[ROLE_STUDENT][i] *= slower;
    }
    return rounds;
}

Test(bounds, slow_in_every_place_fails_and_fast_in_every_place_passes)
{
    struct rounds all = make_epochs(150, EPOCHS, 2), none = make_epochs(150, 0, 2);
    cr_expect_eq(decide(BOUND_SPEEDUP, 900, &all).decision, DECIDE_FAIL);
    cr_expect_eq(decide(BOUND_SPEEDUP, 900, &none).decision, DECIDE_PASS);
}

Test(bounds, one_epoch_that_passes_keeps_all_rounds_from_failing)
{
    struct rounds rounds = make_epochs(250, 0, 1); /* allowed: 190 */
    for (size_t i = 0; i < ROUNDS; i++)
        rounds.epoch[i] = i < 4 ? 0 : 1; /* four are too few for the interval to reach the bound */
    for (size_t i = 0; i < 4; i++)
        rounds.time[ROLE_STUDENT][i] /= 2;
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
    cr_expect(strstr(outcome.reason, "layout: it is reached in 1 of 4"), "%s", outcome.reason);
}

/* Half of the student's rounds are far too slow, and nobody else's: it is not left open for that. */
Test(bounds, a_student_who_makes_the_noise_is_taken_by_the_upper_quartile)
{
    for (int ended = 0; ended < 2; ended++) {
        struct rounds rounds = make_rounds(1000, 150, 100, 0.01);
        rounds.ended = ended;
        for (size_t i = 0; i < ROUNDS; i++) {
            rounds.epoch[i] = (unsigned char)(i * EPOCHS / ROUNDS);
            rounds.time[ROLE_STUDENT][i] *= i % 2 || i % 8 == 0 ? 3 : 1;
        }
        cr_expect_eq(decide(BOUND_SPEEDUP, 900, &rounds).decision, ended ? DECIDE_FAIL : DECIDE_MORE);
    }
}

Test(bounds, noise_of_all_is_nobodys_fault)
{
    struct rounds rounds = make_rounds(1000, 190, 100, 0.2);
    rounds.ended = true;
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
    cr_expect(strstr(outcome.reason, "times the time that is allowed"), "%s", outcome.reason);
}

static void take_longer(struct rounds *rounds, enum role role, double times)
{
    for (size_t i = 0; i < rounds->count; i++)
        rounds->mean[role][i] *= times;
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
        rounds->uneven[role][epoch] = times;
    rounds->slices[role] = 100;
    rounds->slow[role] = times > ROUNDS_SLOW ? 50 : 0;
}

/* Where all slices of all roles take longer than the least, that is noise, and the least counts. */
Test(bounds, who_is_quick_in_some_calls_only_is_taken_by_all_of_them)
{
    for (int all = 0; all < 2; all++) {
        struct rounds faster = make_rounds(1000, 150, 100, 0.05), slower = make_rounds(1000, 900, 900, 0.01);
        for (enum role role = 0; role < ROLES; role++) {
            take_longer(&faster, role, all || role == ROLE_STUDENT ? 3 : 1.1);
            take_longer(&slower, role, all || role == ROLE_STUDENT ? 3 : 1.1);
        }
        faster.ended = slower.ended = true;
        struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &faster);
        cr_expect_eq(outcome.decision, all ? DECIDE_PASS : DECIDE_FAIL);
        cr_expect_float_eq(outcome.measured, all ? 6.67 : 6.67 * 1.1 / 3, 0.2);
        cr_expect_eq(strncmp(outcome.reason, "uneven: your code takes 3.00 times as long on average", 53) ==
                         0,
                     !all, "%s", outcome.reason);
        cr_expect_eq(decide(BOUND_NO_SLOWER, 50, &slower).decision, all ? DECIDE_PASS : DECIDE_FAIL);
    }
}

/* Where as many of the reference's slices are slow it may be chance, unless the quicker ones are too slow as
 * well. */
Test(bounds, who_seems_uneven_where_all_are_disturbed_does_not_fail_for_it)
{
    for (int slow = 0; slow < 2; slow++) {
        struct rounds rounds = make_rounds(1000, slow ? 500 : 150, 100, 0.05);
        take_longer(&rounds, ROLE_STUDENT, 3);
        take_longer(&rounds, ROLE_REFERENCE, 1.5);
        rounds.ended = true;
        const struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
        cr_expect_eq(outcome.decision, slow ? DECIDE_FAIL : DECIDE_MORE);
        cr_expect(slow ||
                      !strcmp(outcome.reason,
                              "noise: your code takes 3.00 times as long on average as in its quicker calls "
                              "(the reference 1.50 times); that may be chance here"),
                  "%s", outcome.reason);
        cr_expect_eq(outcome.retracts, !slow);
    }
}

/* Who takes the baseline's way in half of the calls, where the reference gains 1.3 times, takes 1.15 times as
 * long as in the others. */
Test(bounds, where_the_reference_gains_little_a_little_is_uneven)
{
    for (int all = 0; all < 2; all++) {
        struct rounds rounds = make_rounds(130, 100, 100, 0.01);
        take_longer(&rounds, ROLE_STUDENT, 1.15);
        take_longer(&rounds, ROLE_REFERENCE, 1);
        rounds.slow[ROLE_STUDENT] = 50;
        rounds.slow[ROLE_REFERENCE] = all ? 35 : 0;
        rounds.ended = true;
        const struct bound_outcome outcome = decide(BOUND_SPEEDUP, 710, &rounds);
        cr_expect_eq(outcome.decision, all ? DECIDE_PASS : DECIDE_FAIL, "%s", outcome.reason);
        cr_expect_not(outcome.retracts);
    }
}

/* A few calls, however long they take, are none of what the others take: they are counted. */
Test(bounds, far_slower_calls_are_uneven_where_they_are_more_than_the_references)
{
    for (size_t far = 0; far <= 10; far += 5) {
        struct rounds rounds = make_rounds(1000, 150, 100, 0.05);
        take_longer(&rounds, ROLE_STUDENT, 1.2);
        take_longer(&rounds, ROLE_REFERENCE, 1);
        rounds.far[ROLE_STUDENT] = far;
        for (size_t i = 0; i < ROUNDS; i++)
            rounds.mean[ROLE_STUDENT][i] *= 10;
        rounds.ended = true;
        const struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
        cr_expect_eq(outcome.decision, far == 10 ? DECIDE_MORE : DECIDE_PASS, "%zu: %s", far, outcome.reason);
        cr_expect_eq(outcome.retracts, far == 10);
        cr_expect_eq(outcome.median_passes, far < 10, "the last try goes by the mean");
    }
}

/* Noise may look like it for a while, and be over. */
Test(bounds, who_seems_uneven_is_not_decided_before_the_end)
{
    for (int ended = 0; ended < 2; ended++) {
        struct rounds faster = make_rounds(1000, 150, 100, 0.05), slower = make_rounds(1000, 900, 900, 0.01);
        take_longer(&faster, ROLE_STUDENT, 3);
        take_longer(&slower, ROLE_STUDENT, 1.3);
        take_longer(&faster, ROLE_REFERENCE, 1);
        take_longer(&slower, ROLE_REFERENCE, 1);
        faster.ended = slower.ended = ended;
        const struct bound_outcome speedup = decide(BOUND_SPEEDUP, 900, &faster),
                                   no_slower = decide(BOUND_NO_SLOWER, 50, &slower);
        cr_expect_eq(speedup.decision, ended ? DECIDE_FAIL : DECIDE_MORE);
        cr_expect_eq(no_slower.decision, ended ? DECIDE_FAIL : DECIDE_MORE);
        cr_expect(speedup.doubtful && no_slower.doubtful);
    }
    struct rounds even = make_rounds(1000, 150, 100, 0.05);
    cr_expect_not(decide(BOUND_SPEEDUP, 900, &even).doubtful);
}

/* Who differs by less than that from round to round, and is at a bound, is at it and keeps none open. */
Test(bounds, a_narrow_spread_is_no_noise_of_the_students)
{
    struct rounds rounds = make_rounds(1000, 190, 100, 0.0001);
    rounds.ended = true;
    for (size_t i = 0; i < ROUNDS; i++) {
        rounds.epoch[i] = (unsigned char)(i * EPOCHS / ROUNDS);
        rounds.time[ROLE_STUDENT][i] *= i % 2 ? 1.01 : 0.99;
    }
    cr_expect_eq(decide(BOUND_SPEEDUP, 900, &rounds).decision, DECIDE_MORE);
}

Test(bounds, a_place_that_was_not_tried_may_be_a_better_one)
{
    for (int far = 0; far < 2; far++) {
        struct rounds rounds = make_rounds(1000, far ? 900 : 220, 100, 0.001);
        for (size_t i = 0; i < ROUNDS; i++)
            rounds.epoch[i] = (unsigned char)(i * (EPOCHS - 1) / ROUNDS);
        const struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
        cr_expect_eq(outcome.decision, far ? DECIDE_FAIL : DECIDE_MORE);
        cr_expect(far || strstr(outcome.reason, "only 3 of 4 places in memory could be tried"), "%s",
                  outcome.reason);
    }
}

/* Too few for an interval: the last try goes by these. */
Test(bounds, few_rounds_have_a_median_too)
{
    static const struct {
        double student, reference;
        bool passes, skips;
    } cases[] = {{150, 100, true, false}, {400, 100, false, false}, {980, 990, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rounds rounds = make_rounds(1000, cases[i].student, cases[i].reference, 0.001);
        rounds.count = 5;
        struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
        cr_expect_eq(outcome.decision, DECIDE_MORE);
        cr_expect_eq(outcome.median_passes, cases[i].passes, "%zu", i);
        cr_expect_eq(outcome.median_skips, cases[i].skips, "%zu", i);
    }
}

Test(bounds, values_agree_within_the_tolerance_on_both_sides)
{
    struct rounds near = make_rounds(1, 103, 100, 0.01), above = make_rounds(1, 120, 100, 0.01),
                  below = make_rounds(1, 80, 100, 0.01), unclear = make_rounds(1, 105, 100, 0.05);
    struct bound_outcome outcome = decide(BOUND_AGREE, 50, &near);
    cr_expect_eq(outcome.decision, DECIDE_PASS);
    cr_expect_float_eq(outcome.trusted, 150, 45, "the median of 100 times 1 to 2");
    cr_expect_eq(decide(BOUND_AGREE, 50, &above).decision, DECIDE_FAIL);
    cr_expect_eq(decide(BOUND_AGREE, 50, &below).decision, DECIDE_FAIL);
    unclear.ended = true;
    outcome = decide(BOUND_AGREE, 50, &unclear);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
    cr_expect(strstr(outcome.reason, "close: it may be 5 % off the trusted value, and is +"), "%s",
              outcome.reason);
}

Test(bounds, a_value_that_agrees_in_one_place_is_no_failure)
{
    struct rounds rounds = make_rounds(1, 130, 100, 0.01), everywhere = make_rounds(1, 130, 100, 0.01);
    for (size_t i = 0; i < ROUNDS; i++) {
        rounds.epoch[i] = everywhere.epoch[i] = (unsigned char)(i < 4 ? 0 : 1 + i % 3);
        if (i < 4)
            rounds.value[ROLE_STUDENT][i] /= 1.3;
    }
    struct bound_outcome outcome = decide(BOUND_AGREE, 50, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
    cr_expect(strstr(outcome.reason, "layout: it is reached in 1 of 4"), "%s", outcome.reason);
    cr_expect_eq(decide(BOUND_AGREE, 50, &everywhere).decision, DECIDE_FAIL);
}

Test(bounds, a_value_of_zero_or_not_a_number_fails)
{
    struct rounds zero = make_rounds(1, 0, 100, 0.01), nan = make_rounds(1, NAN, 100, 0.01);
    zero.has_values = nan.has_values = true;
    struct bound_outcome outcome = decide(BOUND_AGREE, 50, &zero);
    cr_expect_eq(outcome.decision, DECIDE_FAIL);
    cr_expect_neq(outcome.reason[0], '\0');
    cr_expect_eq(decide(BOUND_AGREE, 50, &nan).decision, DECIDE_FAIL);
}

/* Cycles are no word of the student's: a round without a time says nothing against anybody. */
Test(bounds, cycles_that_are_not_known_are_no_failure)
{
    struct rounds rounds = make_rounds(1, 101, 100, 0.01), none = make_rounds(1, NAN, 100, 0.01);
    for (size_t i = 0; i < ROUNDS; i += 4)
        rounds.value[i % 8 ? ROLE_STUDENT : ROLE_REFERENCE][i] = NAN;
    struct bound_outcome outcome = decide(BOUND_AGREE, 50, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_PASS);
    cr_expect(isfinite(outcome.trusted), "%g", outcome.trusted);
    cr_expect_eq(decide(BOUND_AGREE, 50, &none).decision, DECIDE_MORE);
}

Test(bounds, a_missing_counter_is_a_skip_and_never_zero)
{
    struct rounds rounds = make_rounds(1, 1, 1, 0);
    struct bound_outcome outcome = decide(BOUND_COUNTER, 100, &rounds);
    cr_expect(outcome.skip);
    cr_expect_neq(outcome.reason[0], '\0');
}

Test(bounds, a_counter_is_held_against_its_limit)
{
    for (int bad = 0; bad < 2; bad++) {
        struct rounds rounds = make_rounds(1, 1, 1, 0);
        rounds.has_counter = true;
        for (size_t i = 0; i < ROUNDS; i++)
            rounds.counter[i] = bad ? 0.4 : 0.01;
        struct bound_outcome outcome = decide(BOUND_COUNTER, 100, &rounds);
        cr_expect_eq(outcome.decision, bad ? DECIDE_FAIL : DECIDE_PASS);
    }
}

Test(bounds, rounds_that_did_not_count_an_event_are_none_of_it)
{
    for (size_t known = 16; known <= 17; known++) {
        struct rounds rounds = make_rounds(1, 1, 1, 0);
        rounds.has_counter = true;
        for (size_t i = 0; i < ROUNDS; i++)
            rounds.counter[i] = i < known ? 0.01 : NAN;
        const struct bound_outcome outcome = decide(BOUND_COUNTER, 100, &rounds);
        cr_expect_eq(outcome.decision, known == 17 ? DECIDE_PASS : DECIDE_MORE);
        cr_expect(known == 17 || strstr(outcome.reason, "only 16 of 32 rounds have counted branch-misses"),
                  "%s", outcome.reason);
    }
}

Test(bounds, the_control_straddles_one_unless_the_processes_differ)
{
    struct rounds rounds = make_rounds(1000, 1, 1, 0.05);
    bool straddles;
    bounds_control(&rounds, &straddles);
    cr_expect(straddles);
    for (size_t i = 0; i < ROUNDS; i++)
        rounds.time[ROLE_CONTROL][i] *= 1.1;
    struct estimate estimate = bounds_control(&rounds, &straddles);
    cr_expect_not(straddles);
    cr_expect_float_eq(estimate.median, -log(1.1), 0.02);
    rounds_free(&rounds);
}

Test(bounds, without_a_baseline_the_control_is_the_reference)
{
    struct rounds rounds = make_rounds(1000, 1, 50, 0.01);
    bool straddles;
    rounds.present[ROLE_BASELINE] = false;
    for (size_t i = 0; i < ROUNDS; i++)
        rounds.time[ROLE_CONTROL][i] = rounds.time[ROLE_REFERENCE][i];
    bounds_control(&rounds, &straddles);
    cr_expect(straddles);
    rounds_free(&rounds);
}

/* The student's rounds: so many of 32 that cannot be told from a hand-over, the others short. */
static struct rounds make_short(size_t none, double others)
{
    struct rounds rounds = make_rounds(1000, others, 100, 0);
    for (size_t i = 0; i < none; i++)
        rounds.time[ROLE_STUDENT][3 * i % ROUNDS] = NAN;
    return rounds;
}

Test(bounds, no_time_at_all_is_told_and_is_no_speedup)
{
    for (size_t none = 0; none <= ROUNDS; none += 8) {
        struct rounds rounds = make_short(none, 0.1);
        cr_expect_eq(bounds_take_no_time(&rounds), none > 0, "%zu of %d", none, ROUNDS);
        rounds.has_values = true;
        cr_expect_not(bounds_take_no_time(&rounds), "a value is no time");
        rounds.has_values = false;
        struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
        cr_expect_eq(outcome.decision, none > 0 ? DECIDE_MORE : DECIDE_PASS);
        rounds = make_short(none, 0.1);
        outcome = decide(BOUND_AGREE, 80, &rounds);
        cr_expect_eq(outcome.decision, none > 0 ? DECIDE_MORE : DECIDE_FAIL);
    }
}

Test(bounds, short_rounds_of_all_are_noise_and_nobodys_fault)
{
    struct rounds rounds = make_short(16, 60);
    cr_expect_not(bounds_take_no_time(&rounds), "the others are as long as the work");
    struct bound_outcome outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_MORE);
    cr_expect(strstr(outcome.reason, "short: in 16 of 32 rounds"), "%s", outcome.reason);
    rounds = make_short(8, 60);
    for (size_t i = 0; i < 8; i++)
        rounds.time[ROLE_REFERENCE][i] = NAN;
    cr_expect_not(bounds_take_no_time(&rounds));
    outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_PASS, "the reference is as short: %s", outcome.reason);
    rounds = make_short(8, 60);
    outcome = decide(BOUND_SPEEDUP, 900, &rounds);
    cr_expect_eq(outcome.decision, DECIDE_PASS, "so many may be chance: %s", outcome.reason);
}

Test(bounds, cycles_of_few_rounds_or_interrupted_chains_prove_nothing)
{
    struct rounds rounds = make_rounds(1000, 500, 100, 0);
    for (size_t i = 0; i < rounds.count; i++) {
        rounds.time[ROLE_STUDENT][i] = 490 + (double)(i % 21);
        rounds.chain[i] = 0.5;
    }
    const double all = bounds_most_cycles(&rounds);
    cr_expect(all > 1000 && all < 1020, "%f", all);
    rounds.chain[0] = -0.03; /* the shorter block of the pair was interrupted */
    rounds.chain[1] = 0;
    cr_expect_float_eq(bounds_most_cycles(&rounds), all, 10);
    rounds.time[ROLE_STUDENT][2] = NAN; /* no longer than a hand-over */
    cr_expect_float_eq(bounds_most_cycles(&rounds), all, 10);
    for (size_t i = 0; i < rounds.count; i++)
        rounds.time[ROLE_STUDENT][i] = NAN;
    rounds.chain[0] = rounds.chain[1] = 0.5;
    cr_expect_float_eq(bounds_most_cycles(&rounds), 0, 0);
    for (rounds.count = 0; rounds.count < STATS_LEAST_ROUNDS; rounds.count++)
        cr_expect_eq(bounds_most_cycles(&rounds), INFINITY, "%zu rounds", rounds.count);
    rounds_free(&rounds);
}

Test(bounds, less_than_any_core_needs_is_impossible)
{
    char why[256] = "";
    cr_expect_not(bound_impossible(2032, 65536, 31, false, why, sizeof why));
    cr_expect_not(bound_impossible(0, 65536, 0, false, why, sizeof why), "nothing is known");
    cr_expect_not(bound_impossible(NAN, 65536, 31, false, why, sizeof why), "there is no word of cycles");
    cr_assert(bound_impossible(1200, 65536, 31, false, why, sizeof why));
    cr_expect(strstr(why, "1200 cycles for 65536 elements"), "%s", why);
    cr_expect(strstr(why, "65536 x 0.031 = 2032"), "%s", why);
    cr_expect(strstr(why, "no core can load and store them in less"), "%s", why);
    cr_assert(bound_impossible(4000, 65536, 125, true, why, sizeof why));
    cr_expect(strstr(why, "no core can load each of them by itself, as the contract has it, in less"), "%s",
              why);
    cr_expect(strstr(why, "65536 x 0.125 = 8192: the result was found in another way"), "%s", why);
}
