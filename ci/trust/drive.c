/* How often all looks together err, for `make trust TWINS=N`: drive CORRELATION [TRIALS]
 *
 * Two pieces of code that are as fast as each other are measured again and again, with noise that lasts from
 * turn to turn as an AR(1) process. It is an error where any look, up to the last of 1,024 turns, decides
 * that one of them is faster. Answers two lines, `KIND ERRORS TRIALS`: `single` where each turn is a round,
 * and `dealt` where turns are dealt to rounds. With a correlation of 0 `single` is computed: `computed
 * PROBABILITY` in front. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grader/check/turns.h"
#include "harness/base/rng.h"
#include "harness/stats/stats.h"

enum { TURNS = 1024, TRIALS = 20000, TRIALS_MOST = 10000000 };

/* For rounds on one side of the median: fewer than this many is a decision. */
static size_t rank_of(size_t n)
{
    double values[TURNS];
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(i + 1);
    const struct estimate estimate = stats_estimate(values, n, STATS_LOOK_ALPHA);
    return isfinite(estimate.low) ? (size_t)estimate.low : 0;
}

/* Independent rounds are above the median or below as a coin falls: probability[s] is that s of them were
 * above and no look has decided yet. */
static double computed(void)
{
    static double probability[TURNS + 2];
    double decided = 0;
    probability[0] = 1;
    for (size_t n = 1; n <= TURNS; n++) {
        for (size_t s = n; s > 0; s--)
            probability[s] = (probability[s] + probability[s - 1]) / 2;
        probability[0] /= 2;
        const size_t rank = stats_checkpoint(n) ? rank_of(n) : 0;
        for (size_t s = 0; rank > 0 && s <= n; s++)
            if (s < rank || n - s < rank) {
                decided += probability[s];
                probability[s] = 0;
            }
    }
    return decided;
}

/* About normal: the sum of eight uniform ones. */
static double normal(struct rng *rng)
{
    double sum = -4;
    for (unsigned part = 0; part < 2; part++) {
        const uint64_t bits = rng_next(rng);
        for (unsigned i = 0; i < 64; i += 16)
            sum += (double)(bits >> i & 0xffff) / 65536;
    }
    return sum * sqrt(12.0 / 8);
}

struct noise {
    struct rng *rng;
    double correlation, now;
};

static double next(struct noise *noise)
{
    const double value = noise->now;
    noise->now =
        noise->correlation * value + sqrt(1 - noise->correlation * noise->correlation) * normal(noise->rng);
    return value;
}

static bool errs(struct rng *rng, double correlation, bool single)
{
    static double ratios[ROUNDS_MAX];
    struct noise noise[2] = {{rng, correlation, normal(rng)}, {rng, correlation, normal(rng)}};
    struct turns turns;
    bool decided = false;
    if (!turns_open(&turns, single, false))
        abort();
    for (size_t turn = 0; turn < TURNS && !decided; turn++) {
        for (unsigned i = 0; i < 2; i++) {
            const struct slice slice = {.ticks = 100 + next(&noise[i])};
            if (!turns_add(&turns, turn, i ? ROLE_STUDENT : ROLE_BASELINE, &slice))
                abort();
        }
        if (turns_has_empty(turn))
            turns_add_empty(&turns, turn, 0);
        if (!stats_checkpoint(turn + 1))
            continue;
        const size_t count = single ? turn + 1 : STATS_FIRST_LOOK;
        for (size_t i = 0; i < count; i++)
            ratios[i] = log(turns_ticks(&turns, i, ROLE_BASELINE) / turns_ticks(&turns, i, ROLE_STUDENT));
        decided = stats_decide(stats_estimate(ratios, count, STATS_LOOK_ALPHA)) != DECIDE_MORE;
    }
    turns_close(&turns);
    return decided;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    const double correlation = argc > 1 ? strtod(argv[1], &end) : NAN;
    const long trials = argc > 2 ? strtol(argv[2], NULL, 10) : TRIALS;
    if (!end || *end != '\0' || !(correlation > -1 && correlation < 1) || trials < 1 ||
        trials > TRIALS_MOST) {
        fprintf(stderr, "usage: drive CORRELATION [TRIALS]: above -1 and below 1; 1 to %d\n", TRIALS_MOST);
        return 2;
    }
    if (correlation == 0)
        printf("computed %.6f\n", computed());
    for (unsigned kind = 0; kind < 2; kind++) {
        struct rng rng = {11};
        long wrong = 0;
        for (long trial = 0; trial < trials; trial++)
            wrong += errs(&rng, correlation, kind == 0);
        printf("%s %ld %ld\n", kind == 0 ? "single" : "dealt", wrong, trials);
    }
    return 0;
}
