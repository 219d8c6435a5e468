#include "grader/check/bounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The mean of all slices over what rounds keep, against the same of the reference: as much as UNEVEN in all
 * epochs but one is too much, or so much of what a reference gains if that is not chance; this part of that,
 * in the mean of all epochs, may be. */
#define UNEVEN      1.25
#define UNEVEN_GAIN 0.25
#define EVEN        0.4
enum { UNEVEN_EPOCHS = EPOCHS - 1 };

/* The least logarithm of a ratio that no place in memory makes up for: twice as long. */
#define NO_PLACE 0.69

/* Rounds that spread over less, as a logarithm, keep no bound open that code is not at. */
#define SPREAD_LEAST 0.05

const char *role_name(enum role role)
{
    static const char *const names[ROLES] = {
        [ROLE_BASELINE] = "baseline",
        [ROLE_STUDENT] = "student",
        [ROLE_REFERENCE] = "reference",
        [ROLE_CONTROL] = "control",
    };
    return names[role];
}

bool rounds_allocate(struct rounds *rounds)
{
    *rounds = (struct rounds){0};
    double *all = calloc((3 * ROLES + 2) * ROUNDS_MAX, sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < ROLES; i++) {
        rounds->time[i] = all + (3 * i) * ROUNDS_MAX;
        rounds->mean[i] = all + (3 * i + 1) * ROUNDS_MAX;
        rounds->value[i] = all + (3 * i + 2) * ROUNDS_MAX;
    }
    rounds->counter = all + 3 * ROLES * (size_t)ROUNDS_MAX;
    rounds->chain = rounds->counter + ROUNDS_MAX;
    return true;
}

void rounds_free(struct rounds *rounds)
{
    free(rounds->time[0]);
    *rounds = (struct rounds){0};
}

static struct estimate log_ratio(const struct rounds *rounds, const double *above, const double *below)
{
    double ratios[ROUNDS_MAX];
    for (size_t i = 0; i < rounds->count; i++)
        ratios[i] = log(above[i] / below[i]);
    return stats_estimate(ratios, rounds->count, STATS_LOOK_ALPHA);
}

bool bounds_straddle(struct estimate estimate)
{
    return estimate.low <= BOUND_CONTROL_SLACK && estimate.high >= -BOUND_CONTROL_SLACK;
}

struct estimate bounds_control(const struct rounds *rounds, bool *straddles)
{
    enum role twin = rounds->present[ROLE_BASELINE] ? ROLE_BASELINE : ROLE_REFERENCE;
    double *const *data = rounds->has_values ? rounds->value : rounds->time;
    struct estimate estimate = log_ratio(rounds, data[twin], data[ROLE_CONTROL]);
    *straddles = bounds_straddle(estimate);
    return estimate;
}

/* Where much of everybody's is disturbed it may be chance whom it hits. */
static bool may_be_chance(const struct rounds *rounds, const size_t marked[ROLES])
{
    return stats_chance(marked[ROLE_STUDENT], rounds->slices[ROLE_STUDENT], marked[ROLE_REFERENCE],
                        rounds->slices[ROLE_REFERENCE]) > ROUNDS_CHANCE;
}

/* Where the reference gains little, the baseline's way in half of the calls is not much longer. */
static double uneven_from(const struct bound_spec *spec, const struct rounds *rounds)
{
    if (spec->kind != BOUND_SPEEDUP)
        return UNEVEN;
    const double gain =
        exp(log_ratio(rounds, rounds->time[ROLE_BASELINE], rounds->time[ROLE_REFERENCE]).median);
    return fmin(UNEVEN, 1 + UNEVEN_GAIN * (fmax(gain, BOUND_LEAST_REFERENCE) - 1));
}

/* Noise is everybody's: where the student's slices differ among themselves by so much more than the
 * reference's, its code takes the quick way in some calls and not in others. */
static bool is_uneven(const struct bound_spec *spec, const struct rounds *rounds)
{
    const double least = uneven_from(spec, rounds);
    unsigned uneven = 0, a_little = 0;
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
        const double times = rounds->uneven[ROLE_STUDENT][epoch] / rounds->uneven[ROLE_REFERENCE][epoch];
        uneven += times > UNEVEN;
        a_little += times > least;
    }
    return !rounds->has_values &&
           (uneven >= UNEVEN_EPOCHS || (a_little >= UNEVEN_EPOCHS && !may_be_chance(rounds, rounds->slow)) ||
            !may_be_chance(rounds, rounds->far));
}

/* A few turns may miss who is uneven, so all epochs together have to say that it is not, before time is up.
 */
static bool is_even(const struct bound_spec *spec, const struct rounds *rounds)
{
    const double most = 1 + EVEN * (uneven_from(spec, rounds) - 1);
    double ratios = 0;
    for (unsigned epoch = 0; epoch < EPOCHS && !rounds->has_values; epoch++)
        ratios += rounds->uneven[ROLE_STUDENT][epoch] / rounds->uneven[ROLE_REFERENCE][epoch];
    return !(ratios > most * EPOCHS);
}

/* The baseline's time of each round: its own and the control's are two samples of the same code's. */
static void baseline_times(const struct rounds *rounds, double *const *times, double *b)
{
    const double *own = times[ROLE_BASELINE], *control = times[ROLE_CONTROL];
    for (size_t i = 0; i < rounds->count; i++)
        b[i] = rounds->present[ROLE_CONTROL] ? sqrt(own[i] * control[i]) : own[i];
}

/* How far the middle half of the rounds' times are apart, as a logarithm. */
static double spread(const struct rounds *rounds, const double *times, double *upper)
{
    double known[ROUNDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        if (times[i] > 0)
            known[count++] = times[i];
    *upper = count > 0 ? stats_quantile(known, count, 0.75) : NAN;
    return count > 0 ? log(*upper / stats_quantile(known, count, 0.25)) : NAN;
}

/* Where the student's rounds spread over twice the reference's, and widely, it is the student who makes the
 * noise. Then nobody waits for its rounds to agree: its upper quartile counts. */
static enum decision decide_by_quartile(const struct rounds *rounds, double *const *times,
                                        const double *allowed)
{
    double upper, ignored, same[ROUNDS_MAX] = {0};
    const double own = spread(rounds, times[ROLE_STUDENT], &upper);
    if (!(own > SPREAD_LEAST && own > 2 * spread(rounds, times[ROLE_REFERENCE], &ignored)))
        return DECIDE_MORE;
    for (size_t i = 0; i < rounds->count; i++)
        same[i] = upper;
    return stats_decide(log_ratio(rounds, allowed, same));
}

/* In how many of the epochs is the median of these numbers within these limits? `untried`: and how many are
 * without a number? */
static unsigned epochs_passing(const struct rounds *rounds, const double *numbers, double least, double most,
                               unsigned *untried)
{
    unsigned passing = 0;
    *untried = 0;
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
        double of_epoch[ROUNDS_MAX];
        size_t count = 0;
        for (size_t i = 0; i < rounds->count; i++)
            if (rounds->epoch[i] == epoch)
                of_epoch[count++] = numbers[i];
        const struct estimate estimate = stats_estimate(of_epoch, count, STATS_LOOK_ALPHA);
        *untried += estimate.samples == 0;
        passing += estimate.median >= least && estimate.median <= most;
    }
    return passing;
}

/* All rounds together miss it. They fail if no epoch passes by itself: where code and data come to lie is
 * chance, and one bad place is no fault. */
static void fail_unless_layout(const struct rounds *rounds, double *numbers, double least, double most,
                               struct bound_outcome *outcome)
{
    unsigned untried;
    const unsigned passing = epochs_passing(rounds, numbers, least, most, &untried);
    const struct estimate all = stats_estimate(numbers, rounds->count, STATS_LOOK_ALPHA);
    const bool far = all.high < least - NO_PLACE || all.low > most + NO_PLACE;
    outcome->decision = passing == 0 && (untried == 0 || far) ? DECIDE_FAIL : DECIDE_MORE;
    if (passing > 0)
        snprintf(outcome->reason, sizeof outcome->reason,
                 "layout: it is reached in %u of %d places in memory, and missed in all rounds together",
                 passing, EPOCHS);
    else if (outcome->decision == DECIDE_MORE)
        snprintf(outcome->reason, sizeof outcome->reason,
                 "slow: it is missed, but only %u of %d places in memory could be tried in the time",
                 EPOCHS - untried, EPOCHS);
}

static void say_uneven(const struct rounds *rounds, struct bound_outcome *outcome, const char *word,
                       const char *so)
{
    double student[EPOCHS], reference[EPOCHS];
    memcpy(student, rounds->uneven[ROLE_STUDENT], sizeof student);
    memcpy(reference, rounds->uneven[ROLE_REFERENCE], sizeof reference);
    snprintf(outcome->reason, sizeof outcome->reason,
             "%s: your code takes %.2f times as long on average as in its quicker calls (the reference %.2f "
             "times); %s",
             word, stats_median(student, EPOCHS), stats_median(reference, EPOCHS), so);
}

/* Is the student's time within what is allowed? */
static void decide_time(const struct bound_spec *spec, const struct rounds *rounds, double *const *times,
                        const double *allowed, struct bound_outcome *outcome)
{
    const struct estimate estimate = log_ratio(rounds, allowed, times[ROLE_STUDENT]);
    outcome->doubtful = !is_even(spec, rounds);
    outcome->median_passes = estimate.median >= 0;
    outcome->decision = stats_decide(estimate);
    outcome->least_taken = exp(-estimate.high);
    outcome->most_taken = exp(-estimate.low);
    if (isfinite(estimate.low) && isfinite(estimate.high))
        outcome->clear =
            fmax(0, fmax(estimate.low, -estimate.high)) / fmax(estimate.high - estimate.low, 1e-9);
    if (times == rounds->mean && !rounds->ended) /* noise may look like it, for a while */
        outcome->decision = DECIDE_MORE;
    if (outcome->decision == DECIDE_MORE && rounds->ended)
        outcome->decision = decide_by_quartile(rounds, times, allowed);
    if (outcome->decision != DECIDE_FAIL)
        return;
    double ratios[ROUNDS_MAX] = {0};
    for (size_t i = 0; i < rounds->count; i++)
        ratios[i] = log(allowed[i] / times[ROLE_STUDENT][i]);
    fail_unless_layout(rounds, ratios, 0, INFINITY, outcome);
    if (outcome->decision == DECIDE_FAIL && times == rounds->mean)
        say_uneven(rounds, outcome, "uneven", "all calls count");
}

static void decide_speedup(const struct bound_spec *spec, const struct rounds *rounds, double *const *times,
                           struct bound_outcome *outcome)
{
    const double *s = times[ROLE_STUDENT], *r = times[ROLE_REFERENCE];
    double share = spec->limit / 1000.0, b[ROUNDS_MAX], allowed[ROUNDS_MAX] = {0};
    baseline_times(rounds, times, b);
    for (size_t i = 0; i < rounds->count; i++)
        allowed[i] = stats_allowed(b[i], r[i], share);
    struct estimate student = log_ratio(rounds, b, s), reference = log_ratio(rounds, b, r);

    *outcome =
        (struct bound_outcome){.decision = DECIDE_MORE,
                               .metric = "speedup",
                               .comparison = ">=",
                               .unit = "x",
                               .measured = exp(student.median),
                               .low = exp(student.low),
                               .high = exp(student.high),
                               .bound = exp(log_ratio(rounds, b, allowed).median),
                               .score = stats_share_score(exp(student.median), exp(reference.median), share),
                               .median_passes = log_ratio(rounds, allowed, s).median >= 0,
                               .median_skips = reference.median < log(BOUND_LEAST_REFERENCE)};
    if (reference.high < log(BOUND_LEAST_REFERENCE)) {
        outcome->skip = outcome->by_timing = true;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "not judged: even the reference is only %.2fx as fast as the baseline on this machine",
                 exp(reference.median));
        return;
    }
    if (reference.low < log(BOUND_LEAST_REFERENCE)) {
        if (isfinite(reference.high))
            snprintf(outcome->reason, sizeof outcome->reason,
                     "noise: the reference's own gain is not clear yet (%.2fx to %.2fx)", exp(reference.low),
                     exp(reference.high));
        return;
    }
    decide_time(spec, rounds, times, allowed, outcome);
    if (outcome->decision == DECIDE_PASS)
        outcome->score = 1;
}

/* Pass when the interval reaches no further than `limit`, fail when all of it is above. */
static enum decision below(struct estimate estimate, double limit)
{
    return estimate.high <= limit ? DECIDE_PASS : estimate.low > limit ? DECIDE_FAIL : DECIDE_MORE;
}

double bound_no_slower_allowed(double baseline, double reference, double share)
{
    return (1 + share) * fmax(baseline, reference);
}

static void decide_no_slower(const struct bound_spec *spec, const struct rounds *rounds, double *const *times,
                             struct bound_outcome *outcome)
{
    const double *s = times[ROLE_STUDENT], *r = times[ROLE_REFERENCE];
    double b[ROUNDS_MAX], allowed[ROUNDS_MAX] = {0};
    baseline_times(rounds, times, b);
    for (size_t i = 0; i < rounds->count; i++)
        allowed[i] = bound_no_slower_allowed(b[i], r[i], spec->limit / 1000.0);
    struct estimate slowdown = log_ratio(rounds, s, b);
    *outcome = (struct bound_outcome){.metric = "slowdown",
                                      .comparison = "<=",
                                      .unit = "x",
                                      .measured = exp(slowdown.median),
                                      .low = exp(slowdown.low),
                                      .high = exp(slowdown.high),
                                      .bound = exp(log_ratio(rounds, allowed, b).median)};
    decide_time(spec, rounds, times, allowed, outcome);
    outcome->score = outcome->decision == DECIDE_PASS;
}

/* Each role's time of a round is that of its least slice, which has least of the noise; of an uneven
 * student's all of the epoch count, and so do the others'. */
static void decide_times(const struct bound_spec *spec, const struct rounds *rounds,
                         struct bound_outcome *outcome)
{
    void (*const decide)(const struct bound_spec *, const struct rounds *, double *const *,
                         struct bound_outcome *) =
        spec->kind == BOUND_SPEEDUP ? decide_speedup : decide_no_slower;
    const bool uneven = is_uneven(spec, rounds);
    decide(spec, rounds, uneven ? rounds->mean : rounds->time, outcome);
    if (uneven && outcome->decision == DECIDE_FAIL && may_be_chance(rounds, rounds->slow)) {
        struct bound_outcome least;
        decide(spec, rounds, rounds->time, &least);
        if (least.decision == DECIDE_FAIL)
            return;
        outcome->decision = DECIDE_MORE;
        say_uneven(rounds, outcome, "noise", "that may be chance here");
    }
    outcome->retracts = uneven && rounds->ended && outcome->decision == DECIDE_MORE;
}

/* The value that the student reports, or the cycles that its code takes, are within the tolerance of the
 * reference's, either way. */
static void decide_agree(const struct bound_spec *spec, const struct rounds *rounds,
                         struct bound_outcome *outcome)
{
    const double *s = rounds->value[ROLE_STUDENT], *r = rounds->value[ROLE_REFERENCE];
    double limit = log1p(spec->limit / 1000.0);
    *outcome = (struct bound_outcome){.decision = DECIDE_FAIL,
                                      .metric = "ratio",
                                      .comparison = "within",
                                      .unit = "x",
                                      .bound = spec->limit / 1000.0};
    double copy[ROUNDS_MAX];
    size_t known = 0, positive = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        if (isfinite(r[i]))
            copy[known++] = r[i];
        positive += s[i] > 0 && isfinite(s[i]);
    }
    outcome->trusted = known > 0 ? stats_median(copy, known) : 0;
    if (rounds->has_values && 2 * positive <= rounds->count) { /* no logarithm, and no doubt either */
        memcpy(copy, s, rounds->count * sizeof *copy);
        outcome->measured = outcome->low = outcome->high = 0;
        snprintf(outcome->reason, sizeof outcome->reason, "the value is %.3g",
                 stats_median(copy, rounds->count));
        return;
    }
    double ratios[ROUNDS_MAX];
    for (size_t i = 0; i < rounds->count; i++) /* a time that is not to be told is no wrong value */
        ratios[i] = !rounds->has_values || (s[i] > 0 && isfinite(s[i])) ? log(s[i] / r[i]) : -1e3;
    struct estimate difference = stats_estimate(ratios, rounds->count, STATS_LOOK_ALPHA);
    if (difference.low > limit || difference.high < -limit)
        fail_unless_layout(rounds, ratios, -limit, limit, outcome);
    else
        outcome->decision = difference.high < limit && difference.low > -limit ? DECIDE_PASS : DECIDE_MORE;
    outcome->median_passes = fabs(difference.median) < limit;
    outcome->measured = exp(difference.median);
    outcome->low = exp(difference.low);
    outcome->high = exp(difference.high);
    outcome->score = outcome->decision == DECIDE_PASS;
}

static void decide_counter(const struct bound_spec *spec, const struct rounds *rounds,
                           struct bound_outcome *outcome)
{
    double copy[ROUNDS_MAX];
    *outcome = (struct bound_outcome){
        .metric = spec->counter, .comparison = "<=", .unit = "per element", .bound = spec->limit / 1000.0};
    if (!rounds->has_counter) {
        outcome->skip = true;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "this machine has no counter for %s (see `make info`)", spec->counter);
        return;
    }
    memcpy(copy, rounds->counter, rounds->count * sizeof *copy);
    struct estimate estimate = stats_estimate(copy, rounds->count, STATS_LOOK_ALPHA);
    if (!isfinite(estimate.high))
        snprintf(outcome->reason, sizeof outcome->reason,
                 "slow: only %zu of %zu rounds have counted %s, too few for an interval", estimate.samples,
                 rounds->count, spec->counter);
    outcome->decision = below(estimate, outcome->bound);
    outcome->median_passes = estimate.median <= outcome->bound;
    outcome->measured = estimate.median;
    outcome->low = estimate.low;
    outcome->high = estimate.high;
    outcome->score = outcome->decision == DECIDE_PASS;
}

static void say_undecided(const struct bound_spec *spec, const struct rounds *rounds,
                          struct bound_outcome *outcome)
{
    size_t told = 0;
    for (size_t i = 0; i < rounds->count; i++)
        told += rounds->time[ROLE_STUDENT][i] > 0;
    if (!isfinite(outcome->high) && rounds->count >= STATS_LEAST_ROUNDS && told < rounds->count)
        snprintf(outcome->reason, sizeof outcome->reason,
                 "short: in %zu of %zu rounds your code cannot be told from a plan without a call",
                 rounds->count - told, rounds->count);
    else if (!isfinite(outcome->high))
        snprintf(outcome->reason, sizeof outcome->reason,
                 "slow: only %zu round%s fitted into the time, too few for an interval", rounds->count,
                 rounds->count == 1 ? "" : "s");
    else if (spec->kind == BOUND_AGREE)
        snprintf(outcome->reason, sizeof outcome->reason,
                 "close: it may be %.3g %% off the trusted value, and is %+.1f to %+.1f %% off",
                 100 * outcome->bound, 100 * (outcome->low - 1), 100 * (outcome->high - 1));
    else if (outcome->most_taken > 0) /* its bound moves from round to round, too */
        snprintf(outcome->reason, sizeof outcome->reason,
                 "close: your code takes %.2f to %.2f times the time that is allowed", outcome->least_taken,
                 outcome->most_taken);
    else
        snprintf(outcome->reason, sizeof outcome->reason,
                 "close: the bound of %.3g lies within what was measured (%.3g to %.3g)", outcome->bound,
                 outcome->low, outcome->high);
}

void bounds_decide(const struct bound_spec *spec, const struct rounds *rounds, struct bound_outcome *outcome)
{
    static void (*const decide[])(const struct bound_spec *, const struct rounds *,
                                  struct bound_outcome *) = {
        [BOUND_SPEEDUP] = decide_times,
        [BOUND_NO_SLOWER] = decide_times,
        [BOUND_AGREE] = decide_agree,
        [BOUND_COUNTER] = decide_counter,
    };
    decide[spec->kind](spec, rounds, outcome);
    if (outcome->skip)
        return;
    if (spec->kind != BOUND_COUNTER && outcome->decision != DECIDE_MORE && bounds_hide_time(rounds)) {
        /* what is left of the rounds shows some other time */
        outcome->decision = DECIDE_MORE;
        outcome->median_passes = false;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "short: your code cannot be told from a plan without a call");
    }
    if (outcome->decision == DECIDE_MORE && outcome->reason[0] == '\0')
        say_undecided(spec, rounds, outcome);
}

/* ---- what no core can do ---- */

bool bound_impossible(double cycles, uint64_t elements, uint32_t floor, bool each, char *why, size_t size)
{
    const double least = (double)elements * floor / 1000;
    if (floor == 0 || !isfinite(cycles) || cycles >= least)
        return false;
    snprintf(why, size,
             "measured %.0f cycles for %" PRIu64 " elements, and no core can load %s in less than %" PRIu64
             " x %.3f = %.0f: %s",
             cycles, elements, each ? "each of them by itself, as the contract has it," : "and store them",
             elements, floor / 1000.0, least,
             each ? "the result was found in another way" : "whatever made it so fast, it was not the work");
    return true;
}
