#include <criterion/criterion.h>
#include <math.h>

#include "harness/base/rng.h"
#include "harness/stats/stats.h"

/* n, n - 1, ..., 1: order statistic k is k. */
static void fill_descending(double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(n - i);
}

static void expect_ranks(size_t n, double alpha, double low, double high)
{
    double values[4096];
    fill_descending(values, n);
    struct estimate estimate = stats_estimate(values, n, alpha);
    cr_expect_eq(estimate.samples, n);
    cr_expect_float_eq(estimate.median, ((double)n + 1) / 2, 1e-9);
    cr_expect_eq(estimate.low, low, "n = %zu: low is %g, not %g", n, estimate.low, low);
    cr_expect_eq(estimate.high, high, "n = %zu: high is %g, not %g", n, estimate.high, high);
}

Test(stats, median_of_odd_and_even)
{
    double odd[] = {9, -1, 4};
    double even[] = {9, -1, 4, 5};
    double one[] = {7};
    cr_expect_eq(stats_median(odd, 3), 4);
    cr_expect_eq(stats_median(even, 4), 4.5);
    cr_expect_eq(stats_median(one, 1), 7);
    cr_expect_eq(even[0], -1, "the values are sorted afterwards");
}

Test(stats, quantiles_lie_between_order_statistics)
{
    double values[] = {40, 10, 30, 20, 50};
    cr_expect_eq(stats_quantile(values, 5, 0), 10);
    cr_expect_eq(stats_quantile(values, 5, 1), 50);
    cr_expect_eq(stats_quantile(values, 5, 0.25), 20);
    cr_expect_float_eq(stats_quantile(values, 5, 0.1), 14, 1e-9);
    cr_expect_float_eq(stats_quantile(values, 5, 0.95), 48, 1e-9);
}

Test(stats, infinite_values_do_not_become_nan)
{
    double values[] = {INFINITY, 1, INFINITY, -INFINITY};
    cr_expect_eq(stats_quantile(values, 4, 0.9), INFINITY);
}

/* By hand: 2 P(B < k) <= alpha. n = 5: 2/32 = 0.0625. n = 6: 2/64 = 0.03125. n = 10: 2 (1 + 10)/1024 =
 * 0.0215, with 45 more 0.109. n = 16: 2 (1 + 16)/65536 = 0.00052, with 120 more 0.0042. */
Test(stats, interval_ranks_by_hand)
{
    expect_ranks(5, 0.05, -INFINITY, INFINITY);
    expect_ranks(5, 0.0625, 1, 5);
    expect_ranks(6, 0.05, 1, 6);
    expect_ranks(10, 0.05, 2, 9);
    expect_ranks(10, 0.11, 3, 8);
    expect_ranks(1, 0.05, -INFINITY, INFINITY);
    expect_ranks(16, 0.001, 2, 15);
    expect_ranks(16, 0.00052, 2, 15);
    expect_ranks(16, 0.00051, 1, 16);
    expect_ranks(10, 0.001, -INFINITY, INFINITY);
    expect_ranks(11, 0.001, 1, 11);
}

/* P(B(20, 1/2) < 6) = 21700/2^20 = 0.0207, the textbook's sign test; P(B < 7) = 0.0577. */
Test(stats, interval_ranks_of_the_textbook)
{
    expect_ranks(20, 0.05, 6, 15);
    expect_ranks(20, 0.12, 7, 14);
    expect_ranks(32, 0.001, 7, 26);
    expect_ranks(64, 0.001, 19, 46);
}

/* Beyond n = 1074, 2^-n is no double any more. The normal approximation gives k within one. */
Test(stats, interval_ranks_of_thousands)
{
    double values[4096];
    fill_descending(values, 4096);
    struct estimate estimate = stats_estimate(values, 4096, 0.001);
    double expected = 2048 - 3.2905 * sqrt(4096) / 2;
    cr_expect_float_eq(estimate.low, expected, 1.01);
    cr_expect_eq(estimate.low + estimate.high, 4097, "the two ranks mirror each other");
}

/* 99 % intervals of a skewed distribution (median ln 2) over 2,000 trials: 20 misses are expected. */
Test(stats, interval_covers_as_promised)
{
    struct rng rng = {42};
    unsigned missed = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double values[32];
        for (size_t i = 0; i < 32; i++)
            values[i] = -log(1.0 - rng_unit(&rng));
        struct estimate estimate = stats_estimate(values, 32, 0.01);
        missed += estimate.low > log(2.0) || estimate.high < log(2.0);
    }
    cr_expect(missed > 0 && missed < 35, "%u misses", missed);
}

/* ---- all looks together ---- */

enum { LOOKS_MOST = 1024 };

/* How many of n rounds may lie on one side without a decision at least: the interval's rank. */
static size_t rank_of(size_t n)
{
    double values[LOOKS_MOST];
    fill_descending(values, n);
    struct estimate estimate = stats_estimate(values, n, STATS_LOOK_ALPHA);
    return isfinite(estimate.low) ? (size_t)estimate.low : 0;
}

static bool decides(size_t n, size_t above)
{
    return above < rank_of(n) || n - above < rank_of(n);
}

/* Exactly at the bound each round is above it or below as a coin falls. probability[s]: that s of the rounds
 * until now were above and no look has decided. The last look may be at any round: each of them is tried. */
Test(stats, all_looks_and_both_sides_err_in_one_of_a_thousand_at_most)
{
    static double probability[LOOKS_MOST + 2];
    double decided = 0;
    probability[0] = 1;
    for (size_t n = 1; n <= LOOKS_MOST; n++) {
        for (size_t s = n; s > 0; s--)
            probability[s] = (probability[s] + probability[s - 1]) / 2;
        probability[0] /= 2;
        double last = 0;
        const size_t rank = rank_of(n);
        for (size_t s = 0; s <= n; s++)
            last += s < rank || n - s < rank ? probability[s] : 0;
        cr_expect_leq(decided + last, 0.001, "ended at %zu rounds: %g", n, decided + last);
        for (size_t s = 0; stats_checkpoint(n) && s <= n; s++)
            if (s < rank || n - s < rank) {
                decided += probability[s];
                probability[s] = 0;
            }
    }
    cr_expect_gt(decided, 0.00001, "it is no test if nothing ever errs");
}

/* About normal: the sum of eight uniform ones. */
static double normal(struct rng *rng)
{
    const uint64_t a = rng_next(rng), b = rng_next(rng);
    double sum = -4;
    for (unsigned i = 0; i < 64; i += 16)
        sum += (double)((a >> i & 0xffff) + (b >> i & 0xffff)) / 65536;
    return sum * sqrt(12.0 / 8);
}

Test(stats, nor_do_they_where_rounds_are_correlated)
{
    enum { TRIALS = 60000 };
    const double correlation = 0.2, fresh = sqrt(1 - correlation * correlation);
    struct rng rng = {5};
    size_t rank[LOOKS_MOST + 1] = {0};
    unsigned wrong = 0;
    for (size_t n = STATS_FIRST_LOOK; n <= LOOKS_MOST; n *= 2)
        rank[n] = rank_of(n);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        double noise = normal(&rng);
        size_t above = 0;
        bool decided = false;
        for (size_t n = 1; n <= LOOKS_MOST && !decided; n++) {
            above += noise > 0;
            noise = correlation * noise + fresh * normal(&rng);
            decided = stats_checkpoint(n) && (above < rank[n] || n - above < rank[n]);
        }
        wrong += decided;
    }
    cr_expect(wrong > 0 && wrong <= TRIALS / 1000, "%u of %d", wrong, TRIALS);
    cr_expect(decides(32, 4) && !decides(32, 5), "the first look");
}

Test(stats, nan_is_left_out)
{
    double values[] = {NAN, 3, 1, NAN, 2, 5, 4, 6};
    struct estimate estimate = stats_estimate(values, 8, 0.05);
    cr_expect_eq(estimate.samples, 6);
    cr_expect_eq(estimate.median, 3.5);
    cr_expect_eq(estimate.low, 1);
    cr_expect_eq(estimate.high, 6);
    double none[] = {NAN, NAN};
    estimate = stats_estimate(none, 2, 0.05);
    cr_expect_eq(estimate.samples, 0);
    cr_expect(isnan(estimate.median));
    cr_expect_eq(stats_decide(estimate), DECIDE_MORE);
    cr_expect_eq(stats_decide(stats_estimate(NULL, 0, 0.05)), DECIDE_MORE);
}

Test(stats, decisions_need_the_whole_interval)
{
    cr_expect_eq(stats_decide((struct estimate){16, 0.2, 0.1, 0.3}), DECIDE_PASS);
    cr_expect_eq(stats_decide((struct estimate){16, -0.2, -0.3, -0.1}), DECIDE_FAIL);
    cr_expect_eq(stats_decide((struct estimate){16, 0.1, -0.1, 0.3}), DECIDE_MORE);
    cr_expect_eq(stats_decide((struct estimate){16, 0, 0, 0}), DECIDE_MORE);
    cr_expect_eq(stats_decide((struct estimate){2, 1, -INFINITY, INFINITY}), DECIDE_MORE);
}

Test(stats, checkpoints_double)
{
    static const size_t yes[] = {32, 64, 128, 256, 512, 1024, 65536};
    static const size_t no[] = {0, 1, 2, 4, 8, 16, 24, 31, 33, 48, 63, 96, 100, 1000};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        cr_expect(stats_checkpoint(yes[i]), "%zu", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        cr_expect_not(stats_checkpoint(no[i]), "%zu", no[i]);
}

Test(stats, allowed_time_lies_between_baseline_and_reference)
{
    cr_expect_float_eq(stats_allowed(8, 2, 0.5), 5, 1e-12);
    cr_expect_float_eq(stats_allowed(8, 2, 1), 2, 1e-12);
    cr_expect_float_eq(stats_allowed(8, 2, 0), 8, 1e-12);
    cr_expect(isnan(stats_allowed(0, 1, 0.5)));
    cr_expect(isnan(stats_allowed(1, -3, 0.5)));
    cr_expect(isnan(stats_allowed(1, NAN, 0.5)));
    cr_expect(isnan(stats_allowed(INFINITY, 1, 0.5)));
}

Test(stats, share_score_is_clipped)
{
    /* the reference saves three quarters of the time; half of that is asked */
    cr_expect_float_eq(stats_share_score(1 / 0.625, 4, 0.5), 1, 1e-12);
    cr_expect_float_eq(stats_share_score(1 / 0.8125, 4, 0.5), 0.5, 1e-12);
    cr_expect_eq(stats_share_score(16, 4, 0.5), 1);
    cr_expect_eq(stats_share_score(1, 4, 0.5), 0);
    cr_expect_eq(stats_share_score(0.3, 4, 0.5), 0);
}

Test(stats, share_score_where_there_is_nothing_to_share)
{
    cr_expect_eq(stats_share_score(1, 1, 0.5), 1);
    cr_expect_eq(stats_share_score(0.9, 1, 0.5), 0);
    cr_expect_eq(stats_share_score(0.95, 0.8, 0.5), 1);
    cr_expect(isnan(stats_share_score(0, 4, 0.5)));
    cr_expect(isnan(stats_share_score(2, NAN, 0.5)));
}

Test(stats, fewer_rounds_than_the_least_have_no_interval)
{
    double values[STATS_LEAST_ROUNDS] = {0};
    cr_expect(isinf(stats_estimate(values, STATS_LEAST_ROUNDS - 1, STATS_LOOK_ALPHA).high));
    cr_expect(isfinite(stats_estimate(values, STATS_LEAST_ROUNDS, STATS_LOOK_ALPHA).high));
}

/* Fisher's tea taster: 3 and 4 of 4 cups right, 17/70 and 1/70. */
Test(stats, chance_of_the_textbook)
{
    cr_expect_float_eq(stats_chance(3, 4, 1, 4), 17.0 / 70, 1e-12);
    cr_expect_float_eq(stats_chance(4, 4, 0, 4), 1.0 / 70, 1e-12);
    cr_expect_float_eq(stats_chance(0, 4, 4, 4), 1, 1e-12);
    cr_expect_float_eq(stats_chance(0, 0, 2, 4), 1, 1e-12, "nobody");
    cr_expect_float_eq(stats_chance(2, 4, 0, 0), 1, 1e-12, "nobody else");
    cr_expect_lt(stats_chance(600, 1000, 400, 1000), 1e-15, "thousands");
}
