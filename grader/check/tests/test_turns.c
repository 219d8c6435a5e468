#include <criterion/criterion.h>
#include <math.h>

#include "grader/check/turns.h"
#include "harness/base/rng.h"
#include "harness/base/tests/sanitized.h"

enum { LOOK = STATS_FIRST_LOOK };

static struct turns open_turns(bool single, bool quartile)
{
    struct turns turns;
    cr_assert(turns_open(&turns, single, quartile));
    return turns;
}

static void add(struct turns *turns, size_t turn, enum role role, double empty, double ticks)
{
    const struct slice slice = {.ticks = ticks, .value = -ticks};
    cr_assert(turns_add_empty(turns, turn, empty));
    cr_assert(turns_add(turns, turn, role, &slice));
}

/* The nth turn of a round of the first epoch, the round being below LOOK / EPOCHS. */
static size_t turn_of(const struct turns *turns, size_t round, size_t nth)
{
    size_t turn = 0;
    for (;; turn++)
        if (turns_round(turns, turn) == round && nth-- == 0)
            return turn;
}

Test(turns, every_epoch_comes_between_two_looks_as_long_as_the_others)
{
    size_t of[EPOCHS] = {0};
    unsigned last = EPOCHS;
    for (size_t turn = 0; turn < 16 * LOOK; turn++) {
        unsigned epoch = turns_epoch(turn);
        cr_assert_lt(epoch, EPOCHS);
        cr_expect(epoch == last || epoch == (last + 1) % EPOCHS || turn == 0);
        last = epoch;
        of[epoch]++;
        if (stats_checkpoint(turn + 1))
            for (unsigned i = 0; i < EPOCHS; i++)
                cr_expect_eq(of[i], (turn + 1) / EPOCHS, "epoch %u at %zu", i, turn + 1);
    }
}

Test(turns, are_dealt_to_the_rounds_of_their_epoch_evenly)
{
    struct turns turns = open_turns(false, false);
    size_t of[LOOK] = {0};
    for (size_t turn = 0; turn < 16 * LOOK; turn++) {
        size_t round = turns_round(&turns, turn);
        cr_assert_lt(round, LOOK);
        cr_expect_eq(round / (LOOK / EPOCHS), turns_epoch(turn));
        of[round]++;
    }
    for (size_t i = 0; i < LOOK; i++)
        cr_expect_eq(of[i], 16);
    turns_close(&turns);
}

Test(turns, are_a_round_each_where_slices_are_long)
{
    struct turns turns = open_turns(true, true);
    add(&turns, 3, ROLE_BASELINE, 100, 1100);
    add(&turns, ROUNDS_MAX - 1, ROLE_BASELINE, 100, 2100);
    cr_expect_eq(turns_round(&turns, ROUNDS_MAX - 1), ROUNDS_MAX - 1);
    cr_expect_float_eq(turns_ticks(&turns, 3, ROLE_BASELINE), 1000, 1e-9);
    cr_expect_float_eq(turns_ticks(&turns, ROUNDS_MAX - 1, ROLE_BASELINE), 2000, 1e-9);
    turns_close(&turns);
}

Test(turns, a_round_keeps_its_least_slice_and_least_hand_over)
{
    struct turns turns = open_turns(false, false);
    add(&turns, turn_of(&turns, 2, 0), ROLE_REFERENCE, 120, 1500);
    add(&turns, turn_of(&turns, 2, 1), ROLE_REFERENCE, 180, 1120);
    add(&turns, turn_of(&turns, 2, 2), ROLE_REFERENCE, 120, 1300);
    add(&turns, turn_of(&turns, 1, 0), ROLE_REFERENCE, 1, 2); /* another round's */
    cr_expect_float_eq(turns_ticks(&turns, 2, ROLE_REFERENCE), 1000, 1e-9);
    cr_expect_float_eq(turns_slice(&turns, 2, ROLE_REFERENCE)->value, -1120, 1e-9,
                       "the value is that of the slice which was kept");
    turns_close(&turns);
}

/* A PMU with few counters counts other events in each slice. */
Test(turns, a_round_has_the_counters_of_all_its_slices)
{
    struct turns turns = open_turns(false, false);
    for (unsigned i = 0; i < 3; i++) {
        struct slice slice = {.ticks = 100 + i};
        slice.counters.present[i] = true;
        slice.counters.value[i] = 10 + i;
        cr_assert(turns_add(&turns, turn_of(&turns, 2, i), ROLE_STUDENT, &slice));
    }
    const struct pmu_count *counters = turns_counters(&turns, 2, ROLE_STUDENT);
    for (unsigned i = 0; i < PMU_EVENTS; i++) {
        cr_expect_eq(counters->present[i], i < 3);
        cr_expect_eq(counters->value[i], i < 3 ? 10 + i : 0);
    }
    cr_expect_not(turns_counters(&turns, 1, ROLE_STUDENT)->present[0], "another round");
    turns_close(&turns);
}

Test(turns, all_slices_of_an_epoch_are_compared)
{
    struct turns turns = open_turns(false, false);
    struct rounds rounds;
    cr_assert(rounds_allocate(&rounds));
    rounds.count = 2;
    rounds.time[ROLE_STUDENT][0] = rounds.time[ROLE_STUDENT][1] = 1000;
    add(&turns, turn_of(&turns, 0, 0), ROLE_STUDENT, 100, 1100);
    add(&turns, turn_of(&turns, 0, 1), ROLE_STUDENT, 150, 1100);
    add(&turns, turn_of(&turns, 1, 0), ROLE_STUDENT, 200, 1100);
    add(&turns, turn_of(&turns, 1, 1), ROLE_STUDENT, 200, 90100);
    turns_compare(&turns, &rounds);
    cr_expect_eq(rounds.slices[ROLE_STUDENT], 4);
    cr_expect_eq(rounds.slow[ROLE_STUDENT], 1);
    cr_expect_eq(rounds.far[ROLE_STUDENT], 1);
    cr_expect_float_eq(rounds.mean[ROLE_STUDENT][1], (3 * 1000 + 90000) / 4.0, 1e-9);
    cr_expect_float_eq(rounds.uneven[ROLE_STUDENT][0], (3 + ROUNDS_FAR) / 4.0, 1e-9);
    cr_expect(isnan(rounds.uneven[ROLE_STUDENT][1]), "another epoch");
    cr_expect(isnan(rounds.uneven[ROLE_BASELINE][0]), "another role");
    rounds_free(&rounds);
    turns_close(&turns);
}

/* Slow is who takes a quarter longer, or as much as half of what the reference gains. */
Test(turns, slices_are_slow_by_what_the_reference_gains)
{
    for (int little = 0; little < 2; little++) {
        struct turns turns = open_turns(false, false);
        struct rounds rounds;
        cr_assert(rounds_allocate(&rounds));
        rounds.count = 1;
        rounds.time[ROLE_BASELINE][0] = little ? 1210 : 2000;
        rounds.time[ROLE_REFERENCE][0] = rounds.time[ROLE_STUDENT][0] = 1000;
        for (size_t i = 0; i < 10; i++) /* 1000 to 1360 */
            add(&turns, turn_of(&turns, 0, i), ROLE_STUDENT, 100, 1100 + 40 * (double)i);
        turns_compare(&turns, &rounds);
        cr_expect_eq(rounds.slices[ROLE_STUDENT], 10);
        cr_expect_eq(rounds.slow[ROLE_STUDENT], little ? 7 : 3);
        cr_expect_eq(rounds.far[ROLE_STUDENT], 0);
        rounds_free(&rounds);
        turns_close(&turns);
    }
}

/* Each of the orders in which a twin comes after the student, and each of the others, as often as the next.
 */
Test(turns, a_twin_follows_the_student_in_as_many_turns_as_an_interval_takes)
{
    enum { LOOKS = 2000 };
    static unsigned first[2][TURN_STEPS], steps[TURN_STEPS];
    struct turn_order order;
    turn_order_begin(&order, 5, ROLE_BASELINE);
    for (size_t look = 0; look < LOOKS; look++) {
        unsigned after = 0;
        for (size_t turn = 0; turn < LOOK; turn++) {
            turn_order_draw(&order, look * LOOK + turn, steps);
            const enum role next = turn_follows(steps);
            const bool is = next == ROLE_BASELINE || next == ROLE_CONTROL;
            after += is;
            first[is][steps[0]]++;
        }
        cr_assert_eq(after, TURNS_AFTER);
    }
    for (unsigned role = 0; role < TURN_STEPS; role++) {
        cr_expect_gt(first[0][role], LOOKS * (LOOK - TURNS_AFTER) / TURN_STEPS / 2, "%u", role);
        cr_expect_gt(first[1][role], LOOKS * TURNS_AFTER / TURN_STEPS / 2, "%u", role);
    }
}

Test(turns, a_round_keeps_the_lower_quartile_where_slices_wait_for_memory)
{
    struct turns turns = open_turns(false, true);
    for (size_t i = 0; i < 100; i++) /* 1000 to 1099, in no order */
        add(&turns, turn_of(&turns, 0, i), ROLE_STUDENT, 100 + (double)(i * 29 % 100),
            1000 + (double)(i * 37 % 100));
    cr_expect_float_eq(turns_ticks(&turns, 0, ROLE_STUDENT), 900, 1e-9, "1025 less 125");
    turns_close(&turns);
}

Test(turns, a_hand_over_is_that_of_the_median_pair_of_rounds)
{
    struct turns turns = open_turns(false, false);
    const double empties[] = {100, 700, 300};
    for (size_t round = 0; round < 3; round++) {
        cr_assert(turns_add_empty(&turns, turn_of(&turns, 2 * round, 0), empties[round] + 50));
        cr_assert(turns_add_empty(&turns, turn_of(&turns, 2 * round, 1), empties[round]));
    }
    cr_expect_eq(turns_handover(&turns, 5), 300);
    turns_close(&turns);
}

Test(turns, a_round_without_an_empty_plan_shares_that_of_the_one_before)
{
    for (int single = 0; single < 2; single++) {
        struct turns turns = open_turns(single, false);
        for (size_t turn = 0; turn < 4 * LOOK; turn++) {
            const struct slice slice = {.ticks = 1100};
            if (turns_has_empty(turn))
                cr_assert(turns_add_empty(&turns, turn, 100));
            cr_assert(turns_add(&turns, turn, ROLE_STUDENT, &slice));
            cr_expect_float_eq(turns_ticks(&turns, turns_round(&turns, turn), ROLE_STUDENT), 1000, 1e-9);
        }
        turns_close(&turns);
    }
}

Test(turns, one_hand_over_is_subtracted_from_all_roles)
{
    struct turns turns = open_turns(false, false);
    add(&turns, 0, ROLE_STUDENT, 100, 1100);
    add(&turns, 0, ROLE_BASELINE, 900, 2100);
    cr_expect_float_eq(turns_ticks(&turns, 0, ROLE_STUDENT), 1000, 1e-9);
    cr_expect_float_eq(turns_ticks(&turns, 0, ROLE_BASELINE), 2000, 1e-9);
    turns_close(&turns);
}

Test(turns, what_cannot_be_told_from_a_hand_over_is_no_time)
{
    for (int quartile = 0; quartile < 2; quartile++) {
        struct turns turns = open_turns(false, quartile);
        cr_expect(isnan(turns_ticks(&turns, 0, ROLE_CONTROL)), "a role that is not there");
        add(&turns, 1, ROLE_BASELINE, 100, 90);
        cr_expect(isnan(turns_ticks(&turns, 1, ROLE_BASELINE)));
        turns_close(&turns);
    }
}

/* About normal: the sum of four uniform ones. */
static double normal(struct rng *rng)
{
    const uint64_t bits = rng_next(rng);
    double sum = -2;
    for (unsigned i = 0; i < 64; i += 16)
        sum += (double)(bits >> i & 0xffff) / 65536;
    return sum * sqrt(12.0 / 4);
}

/* Two roles that are as fast as each other, disturbed by noise that lasts (AR(1), 0.2): is it decided, at any
 * look, that one of them is faster? */
static bool errs(struct rng *rng, size_t turns_most)
{
    const double fresh = sqrt(1 - 0.2 * 0.2);
    struct turns turns = open_turns(false, false);
    double noise[] = {normal(rng), normal(rng)}, ratios[LOOK];
    bool decided = false;
    for (size_t turn = 0; turn < turns_most && !decided; turn++) {
        for (int i = 0; i < 2; i++) {
            add(&turns, turn, i ? ROLE_STUDENT : ROLE_BASELINE, 0, 100 + noise[i]);
            noise[i] = 0.2 * noise[i] + fresh * normal(rng);
        }
        if (!stats_checkpoint(turn + 1))
            continue;
        for (size_t i = 0; i < LOOK; i++)
            ratios[i] = log(turns_ticks(&turns, i, ROLE_BASELINE) / turns_ticks(&turns, i, ROLE_STUDENT));
        decided = stats_decide(stats_estimate(ratios, LOOK, STATS_LOOK_ALPHA)) != DECIDE_MORE;
    }
    turns_close(&turns);
    return decided;
}

Test(turns, dealt_to_rounds_err_in_one_of_a_thousand_at_most)
{
    enum { TRIALS = 10000 };
    struct rng rng = {3};
    unsigned wrong = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++)
        wrong += errs(&rng, 16 * LOOK);
    cr_expect(wrong > 0 && wrong <= TRIALS / 1000, "%u of %d", wrong, TRIALS);
}

/* What is to be decided of a student who takes the stub's time in some calls, by chance, and the reference's
 * in the others, after so many turns. `disturbed`: so many of everybody's slices take ten times as long, or
 * are stopped for as long as the reference takes and up to a thousand times that. */
enum noise { TEN_TIMES, STOPPED };
static struct bound_outcome decide_mixed(struct rng *rng, double stub, enum noise noise, double disturbed,
                                         size_t turns_most, bool single)
{
    static const double usual[ROLES] = {
        [ROLE_BASELINE] = 700, [ROLE_STUDENT] = 100, [ROLE_REFERENCE] = 100, [ROLE_CONTROL] = 700};
    const struct bound_spec spec = {.kind = BOUND_SPEEDUP, .limit = 870};
    struct turns turns = open_turns(single, false);
    struct rounds rounds;
    struct bound_outcome outcome;
    cr_assert(rounds_allocate(&rounds));
    for (size_t turn = 0; turn < turns_most; turn++) {
        for (enum role role = 0; role < ROLES; role++) {
            double ticks = usual[role] * (1 + 0.05 * rng_unit(rng));
            if (role == ROLE_STUDENT && rng_unit(rng) < stub)
                ticks *= 7;
            if (rng_unit(rng) < disturbed)
                ticks = noise == STOPPED ? ticks + 100 / (rng_unit(rng) + 1e-3) : 10 * ticks;
            add(&turns, turn, role, 0, ticks);
            rounds.present[role] = true;
        }
        rounds.epoch[turns_round(&turns, turn)] = (unsigned char)turns_epoch(turn);
    }
    rounds.count = single ? turns_most : LOOK;
    rounds.ended = true;
    for (size_t i = 0; i < rounds.count; i++)
        for (enum role role = 0; role < ROLES; role++)
            rounds.time[role][i] = turns_ticks(&turns, i, role);
    turns_compare(&turns, &rounds);
    bounds_decide(&spec, &rounds, &outcome);
    rounds_free(&rounds);
    turns_close(&turns);
    return outcome;
}

/* At the first look it is found too seldom, so nobody ends there. */
Test(turns, who_is_quick_in_some_calls_only_does_not_pass)
{
    static const double parts[] = {0.25, 0.3, 0.5, 0.7};
    struct rng rng = {11};
    for (int single = 0; single < 2; single++) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            for (size_t turns_most = 2 * LOOK; turns_most <= 16 * LOOK; turns_most *= 2) {
                const unsigned tries = SANITIZED ? 50 : 200;
                unsigned passes = 0;
                for (unsigned k = 0; k < tries; k++)
                    passes += decide_mixed(&rng, parts[i], TEN_TIMES, 0, turns_most, single).decision ==
                              DECIDE_PASS;
                cr_expect_leq(passes, tries / 50, "%g of the calls, %zu turns: %u of %u pass", parts[i],
                              turns_most, passes, tries);
            }
        }
    }
}

/* Nor beside noise, and not at the look after which a check may be over. */
Test(turns, who_is_quick_in_some_calls_only_is_not_told_early)
{
    static const double parts[] = {0.25, 0.5}, noise[] = {0, 0.05, 0.15};
    struct rng rng = {12};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (size_t j = 0; j < sizeof noise / sizeof *noise; j++) {
            unsigned clear = 0, passes = 0;
            for (unsigned k = 0; k < 400; k++) {
                const struct bound_outcome early =
                    decide_mixed(&rng, parts[i], TEN_TIMES, noise[j], 2 * LOOK, false);
                clear += early.decision == DECIDE_PASS && !early.doubtful;
                passes += decide_mixed(&rng, parts[i], TEN_TIMES, noise[j], 16 * LOOK, false).decision ==
                          DECIDE_PASS;
            }
            cr_expect_leq(clear, 4, "%g of the calls, %g disturbed: %u of 400 are told", parts[i], noise[j],
                          clear);
            cr_expect_leq(passes, 4, "%g of the calls, %g disturbed: %u of 400 pass", parts[i], noise[j],
                          passes);
        }
    }
}

/* However much of everybody's is disturbed, who is as quick as the reference does not fail by chance; and who
 * takes the stub's time always fails all the same, unless nothing can be told. */
Test(turns, much_noise_of_all_fails_nobody)
{
    static const double parts[] = {0.1, 0.2, 0.4, 0.6};
    struct rng rng = {14};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (size_t turns_most = LOOK; turns_most <= 4 * LOOK; turns_most *= 2) {
            const unsigned tries = SANITIZED ? 50 : 500;
            unsigned fails = 0, passes = 0;
            for (unsigned k = 0; k < tries; k++) {
                fails += decide_mixed(&rng, 0, STOPPED, parts[i], turns_most, false).decision == DECIDE_FAIL;
                passes += decide_mixed(&rng, 1, STOPPED, parts[i], turns_most, false).decision == DECIDE_PASS;
            }
            cr_expect_eq(fails, 0, "%g of the slices, %zu turns: %u of %u fail", parts[i], turns_most, fails,
                         tries);
            cr_expect_eq(passes, 0, "%g of the slices, %zu turns: %u of %u pass", parts[i], turns_most,
                         passes, tries);
        }
    }
}

Test(turns, noise_of_all_makes_nobody_uneven)
{
    static const double parts[] = {0, 0.01, 0.05, 0.1};
    struct rng rng = {13};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (size_t turns_most = LOOK; turns_most <= 16 * LOOK; turns_most *= 4) {
            unsigned fails = 0, passes = 0;
            for (unsigned k = 0; k < 200; k++) {
                const enum decision decision =
                    decide_mixed(&rng, 0, TEN_TIMES, parts[i], turns_most, false).decision;
                fails += decision == DECIDE_FAIL;
                passes += decision == DECIDE_PASS;
            }
            cr_expect_eq(fails, 0, "%g of the slices, %zu turns: %u of 200 fail", parts[i], turns_most,
                         fails);
            cr_expect(turns_most == LOOK || passes > 195, "%g of the slices, %zu turns: %u of 200 pass",
                      parts[i], turns_most, passes);
        }
    }
}
