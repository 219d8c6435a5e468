#include <criterion/criterion.h>
#include "harness/sched/jitter.h"

enum { US = 1000, PERIOD = 4000 * US, PERIODS = 6 };
#define BEGIN (INT64_C(86400) * 1000000 * US + 12345) /* a day after the start */

/* In each of so many periods time is missing from `at` on; behind it, what comes once. */
static size_t beats(struct jitter_gap *gaps, int64_t at, int64_t length, unsigned periods)
{
    const int64_t first = (BEGIN + PERIOD - 1) / PERIOD * PERIOD + at;
    for (unsigned i = 0; i < periods; i++)
        gaps[i] = (struct jitter_gap){first + i * PERIOD, first + i * PERIOD + length};
    return periods;
}

static struct jitter concluded(const struct jitter_gap *gaps, size_t count)
{
    struct jitter jitter;
    jitter_conclude(&jitter, BEGIN, PERIOD, PERIODS, gaps, count);
    return jitter;
}

static unsigned taken(const struct jitter *jitter)
{
    unsigned count = 0;
    for (unsigned part = 0; part < JITTER_PARTS; part++)
        count += jitter->taken[part];
    return count;
}

/* Does something that lasts from `at` to `at` + length meet what comes at `beat` in each period? */
static bool meets(int64_t at, int64_t length, int64_t beat, int64_t lasts)
{
    const int64_t since = (at - beat) % PERIOD;
    return since < lasts || since + length > PERIOD;
}

Test(jitter, where_nothing_is_known_nobody_waits)
{
    const struct jitter nothing = {0}, quiet = concluded(NULL, 0);
    cr_expect_eq(jitter_until(&nothing, BEGIN, 100 * US), 0);
    cr_expect_eq(jitter_until(&quiet, BEGIN, 100 * US), 0);
    jitter_avoid(&nothing, 100 * US);
}

Test(jitter, what_comes_again_is_told_from_what_does_not)
{
    struct jitter_gap gaps[PERIODS];
    for (unsigned periods = 0; periods <= PERIODS; periods++) {
        const struct jitter jitter = concluded(gaps, beats(gaps, 1005 * US, 9 * US, periods));
        cr_expect_eq(taken(&jitter), periods >= 4 ? 3 : 0, "%u of %d: %u parts", periods, PERIODS,
                     taken(&jitter));
    }
}

Test(jitter, several_gaps_in_one_period_are_one)
{
    struct jitter_gap gaps[PERIODS];
    for (unsigned i = 0; i < PERIODS; i++)
        gaps[i] = (struct jitter_gap){BEGIN / PERIOD * PERIOD + PERIOD + i * US,
                                      BEGIN / PERIOD * PERIOD + PERIOD + i * US + 1};
    const struct jitter jitter = concluded(gaps, PERIODS);
    cr_expect_eq(taken(&jitter), 0);
}

Test(jitter, what_is_begun_then_meets_nothing_that_comes_again)
{
    static const int64_t at[] = {0, 7, 1005, 2490, 3960, 3999};
    static const int64_t lengths[] = {1, 20, 150, 1000, 3800};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct jitter_gap gaps[PERIODS];
        const int64_t lasts = 60 * US;
        const struct jitter jitter = concluded(gaps, beats(gaps, at[i] * US, lasts, PERIODS));
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
            for (int64_t now = BEGIN; now < BEGIN + PERIOD; now += 13 * US) {
                const int64_t wait = jitter_until(&jitter, now, lengths[k] * US);
                cr_assert(wait >= 0 && wait < PERIOD);
                cr_assert(!meets(now + wait, lengths[k] * US, at[i] * US, lasts),
                          "%lld us at %lld us: waits %lld ns", (long long)lengths[k], (long long)at[i],
                          (long long)wait);
                cr_assert(wait == 0 || meets(now, (lengths[k] + 45) * US, (at[i] - 45) * US, 150 * US),
                          "%lld us at %lld us: waits %lld ns for nothing", (long long)lengths[k],
                          (long long)at[i], (long long)wait);
            }
    }
}

Test(jitter, nobody_waits_for_what_never_comes)
{
    struct jitter_gap gaps[PERIODS];
    struct jitter jitter = concluded(gaps, beats(gaps, 1000 * US, 300 * US, PERIODS));
    cr_expect_eq(jitter_until(&jitter, BEGIN, 3700 * US), 0, "no gap is as long");
    cr_expect_eq(jitter_until(&jitter, BEGIN, 2 * PERIOD), 0);
    cr_expect_eq(jitter_until(&jitter, BEGIN, 0), 0, "it is not known how long it takes");
    for (unsigned part = 0; part < JITTER_PARTS; part++)
        jitter.taken[part] = true;
    cr_expect_eq(jitter_until(&jitter, BEGIN, 1), 0);
}

Test(jitter, a_gap_of_many_periods_is_no_endless_one)
{
    const struct jitter_gap gap = {BEGIN, BEGIN + 1000 * (int64_t)PERIOD};
    const struct jitter jitter = concluded(&gap, 1);
    cr_expect_eq(taken(&jitter), 0);
}

Test(jitter, this_machine_is_watched_once_a_second)
{
    struct jitter jitter = {0};
    jitter_learn(&jitter);
    const int64_t learnt = jitter.learnt;
    cr_assert_gt(learnt, 0);
    cr_expect_geq(jitter.period, PERIOD);
    cr_expect_eq(jitter.period % JITTER_PARTS, 0);
    jitter_learn(&jitter);
    cr_expect_eq(jitter.learnt, learnt);
    jitter.learnt -= 2 * INT64_C(1000000000);
    jitter_learn(&jitter);
    cr_expect_gt(jitter.learnt, learnt);
    jitter_avoid(&jitter, 100 * US);
}
