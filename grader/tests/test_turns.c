#include <criterion/criterion.h>
#include <math.h>

#include "grader/turns.h"

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
    cr_assert(turns_add(turns, turn, role, empty, &slice));
}

Test(turns, are_dealt_to_the_first_rounds_one_after_the_other)
{
    struct turns turns = open_turns(false, false);
    cr_expect_eq(turns_round(&turns, 3), 3);
    cr_expect_eq(turns_round(&turns, LOOK + 3), 3);
    cr_expect_eq(turns_round(&turns, 5 * LOOK), 0);
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
    add(&turns, 2, ROLE_REFERENCE, 120, 1500);
    add(&turns, 2 + LOOK, ROLE_REFERENCE, 180, 1120);
    add(&turns, 2 + 2 * LOOK, ROLE_REFERENCE, 120, 1300);
    add(&turns, 1, ROLE_REFERENCE, 1, 2); /* another round's */
    cr_expect_float_eq(turns_ticks(&turns, 2, ROLE_REFERENCE), 1000, 1e-9);
    cr_expect_float_eq(turns_slice(&turns, 2, ROLE_REFERENCE)->value, -1120, 1e-9,
                       "the value is that of the slice which was kept");
    turns_close(&turns);
}

Test(turns, a_round_keeps_the_lower_quartile_where_slices_wait_for_memory)
{
    struct turns turns = open_turns(false, true);
    for (size_t i = 0; i < 100; i++) /* 1000 to 1099, in no order */
        add(&turns, i * LOOK, ROLE_STUDENT, 100, 1000 + (double)(i * 37 % 100));
    cr_expect_float_eq(turns_ticks(&turns, 0, ROLE_STUDENT), 925, 1e-9);
    turns_close(&turns);
}

Test(turns, the_students_hand_over_is_no_dearer_than_the_references)
{
    struct turns turns = open_turns(false, false);
    add(&turns, 0, ROLE_STUDENT, 900, 1100);
    add(&turns, 1, ROLE_STUDENT, 900, 1100);
    add(&turns, 1, ROLE_REFERENCE, 100, 1100);
    cr_expect_float_eq(turns_ticks(&turns, 0, ROLE_STUDENT), 200, 1e-9, "without a reference it is its own");
    cr_expect_float_eq(turns_ticks(&turns, 1, ROLE_STUDENT), 1000, 1e-9);
    turns_close(&turns);
}

Test(turns, what_does_not_count_is_no_time)
{
    for (int quartile = 0; quartile < 2; quartile++) {
        struct turns turns = open_turns(false, quartile);
        cr_expect(isnan(turns_ticks(&turns, 0, ROLE_CONTROL)), "a role that is not there");
        add(&turns, 0, ROLE_STUDENT, 100, INFINITY);
        cr_expect(isnan(turns_ticks(&turns, 0, ROLE_STUDENT)), "it ran while it had to stand still");
        add(&turns, LOOK, ROLE_STUDENT, 100, 600);
        cr_expect_float_eq(turns_ticks(&turns, 0, ROLE_STUDENT), 500, 1e-9, "the next one is good");
        add(&turns, 1, ROLE_BASELINE, 100, 90);
        cr_expect(isnan(turns_ticks(&turns, 1, ROLE_BASELINE)), "shorter than a hand-over");
        turns_close(&turns);
    }
}
