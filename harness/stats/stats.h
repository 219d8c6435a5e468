/* The arithmetic of verdicts: no clock, no system call. Everything works on paired per-round log-ratios. */
#ifndef CYCLELAB_STATS_H
#define CYCLELAB_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* A point and an interval: the median and two order statistics around it. */
struct estimate {
    size_t samples;
    double median;
    double low, high; /* covers the true median with the asked confidence, whatever the distribution */
};

/* Median (mean of the middle two for even n) of n > 0 values; reorders them. */
double stats_median(double *values, size_t n);

/* The q-quantile (0 <= q <= 1) by linear interpolation between order statistics; reorders the values. */
double stats_quantile(double *values, size_t n, double q);

/* Median and the distribution-free interval from order statistics k and n + 1 - k, k being the largest with
 * 2 * P(Binomial(n, 1/2) < k) <= alpha. Where n is too small for alpha the interval is -inf..inf. The values
 * are reordered; NAN among them is left out (samples tells how many counted), and with nothing left the
 * median is NAN. Source: sign-test interval, e.g. Hettmansperger & McKean, Robust Nonparametric Statistical
 * Methods. */
struct estimate stats_estimate(double *values, size_t n, double alpha);

/* How probable is it that as many of the `marked` among two groups' members, or more, are in the first group
 * if chance deals them? 1 where a group is empty. Source: Fisher's exact test, one-sided; Agresti,
 * Categorical Data Analysis, 3.5. */
double stats_chance(size_t marked, size_t members, size_t others_marked, size_t others);

enum decision { DECIDE_PASS, DECIDE_FAIL, DECIDE_MORE };

/* Whole interval above 0: pass; below 0: fail; else more rounds are wanted. */
enum decision stats_decide(struct estimate estimate);

enum {
    STATS_LEAST_ROUNDS = 17, /* fewer have no interval of STATS_LOOK_ALPHA */
    STATS_FIRST_LOOK = 32,
};

/* The alpha of one look. Over all looks, and both sides, a bound that is reached exactly is decided in at
 * most 0.1 % of all checks, also where rounds are correlated as an AR(1) process of 0.2 (test_stats.c
 * computes and simulates that). So the interval of a look is one of more than 99.99 %, and all of them
 * together are one of 99.9 %. */
#define STATS_LOOK_ALPHA 2e-5

/* Is it time to look? At 32, 64, 128, ... rounds. */
bool stats_checkpoint(size_t rounds);

/* The time that a bound allows which asks for this share of the time that the reference saves: from the
 * baseline's time that much of the way to the reference's. NAN where a time is not positive (a slice that
 * took no longer than its own handover). */
double stats_allowed(double baseline, double reference, double share);

/* Score in 0..1 of such a bound: the share of the time saved, over the share asked, clipped. Both speedups as
 * plain ratios. NAN where one is not a positive number. A reference that gained nothing is reached by whoever
 * is no slower. */
double stats_share_score(double speedup, double reference_speedup, double share);

#endif
