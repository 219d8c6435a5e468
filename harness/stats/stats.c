#include "harness/stats/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

double stats_median(double *values, size_t n)
{
    return stats_quantile(values, n, 0.5);
}

double stats_quantile(double *values, size_t n, double q)
{
    assert(n > 0 && q >= 0.0 && q <= 1.0);
    qsort(values, n, sizeof values[0], compare);
    double position = q * (double)(n - 1);
    size_t below = (size_t)position;
    double part = position - (double)below;
    if (part <= 0.0 || values[below] == values[below + 1])
        return values[below];
    return values[below] * (1.0 - part) + values[below + 1] * part;
}

/* The largest k with 2 * P(Binomial(n, 1/2) < k) <= alpha. The terms are summed exactly one after the other,
 * their logarithms kept, since 2^-n leaves a double's range beyond n = 1074. */
static size_t interval_rank(size_t n, double alpha)
{
    double log_term = -(double)n * log(2.0);
    double tail = 0.0;
    for (size_t k = 0; k < n; k++) {
        tail += exp(log_term);
        if (2.0 * tail > alpha)
            return k;
        log_term += log((double)(n - k) / (double)(k + 1));
    }
    return n;
}

/* NANs to the end, so that what is sorted can be sorted; returns how many numbers there are. */
static size_t drop_nans(double *values, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            continue;
        double value = values[i];
        values[i] = values[kept];
        values[kept++] = value;
    }
    return kept;
}

struct estimate stats_estimate(double *values, size_t n, double alpha)
{
    assert(alpha > 0.0 && alpha < 1.0);
    struct estimate estimate = {drop_nans(values, n), NAN, -INFINITY, INFINITY};
    if (estimate.samples == 0)
        return estimate;
    estimate.median = stats_median(values, estimate.samples);
    size_t k = interval_rank(estimate.samples, alpha);
    if (k > 0) {
        estimate.low = values[k - 1];
        estimate.high = values[estimate.samples - k];
    }
    return estimate;
}

static double log_choose(size_t n, size_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

double stats_chance(size_t marked, size_t members, size_t others_marked, size_t others)
{
    assert(marked <= members && others_marked <= others);
    const size_t all_marked = marked + others_marked;
    double chance = 0;
    for (size_t k = marked; k <= members && k <= all_marked; k++)
        if (all_marked - k <= others)
            chance += exp(log_choose(members, k) + log_choose(others, all_marked - k) -
                          log_choose(members + others, all_marked));
    return fmin(chance, 1);
}

enum decision stats_decide(struct estimate estimate)
{
    if (estimate.low > 0.0)
        return DECIDE_PASS;
    if (estimate.high < 0.0)
        return DECIDE_FAIL;
    return DECIDE_MORE;
}

bool stats_checkpoint(size_t rounds)
{
    return rounds >= STATS_FIRST_LOOK && (rounds & (rounds - 1)) == 0;
}

static bool positive(double value)
{
    return value > 0.0 && isfinite(value);
}

double stats_allowed(double baseline, double reference, double share)
{
    if (!positive(baseline) || !positive(reference))
        return NAN;
    return baseline - share * (baseline - reference);
}

double stats_share_score(double speedup, double reference_speedup, double share)
{
    if (!positive(speedup) || !positive(reference_speedup))
        return NAN;
    double asked = share * (1 - 1 / reference_speedup);
    double saved = 1 - 1 / speedup;
    if (asked <= 0.0)
        return saved >= asked ? 1.0 : 0.0;
    return fmin(fmax(saved / asked, 0.0), 1.0);
}
