/* Students so slow that nothing comes of measuring them. How slow somebody is goes by what slices have had of
 * the processors: by the clock everybody is slow on a busy machine. */
#include <math.h>
#include <stdio.h>

#include "grader/check/bench_internal.h"

/* Slower than the baseline (the reference, where there is none) by this. */
#define HOPELESS_RATIO 3.0

void bench_spent_add(struct bench_spent *spent, const struct slice *slice)
{
    spent->least = spent->slices == 0 ? slice->own : fmin(spent->least, slice->own);
    spent->longest = fmax(spent->longest, slice->own);
    spent->own += slice->own;
    spent->grader += slice->grader;
    spent->slices++;
}

static double mean(double sum, size_t count)
{
    return count > 0 ? sum / (double)count : 0;
}

/* Is there a gain to be held against? */
static bool reference_gains(const double seconds[ROLES], enum role twin)
{
    return seconds[twin] > 0 &&
           (twin != ROLE_BASELINE || seconds[twin] >= BOUND_LEAST_REFERENCE * seconds[ROLE_REFERENCE]);
}

bool bench_hopeless_at_first(const struct bench_spent spent[ROLES], enum role twin, size_t calls,
                             double budget, double seconds[ROLES])
{
    double turn = 0;
    for (enum role role = 0; role < ROLES; role++) {
        seconds[role] = spent[role].least;
        turn += spent[role].least * (double)calls;
    }
    return reference_gains(seconds, twin) && STATS_FIRST_LOOK * turn >= budget &&
           seconds[ROLE_STUDENT] >= HOPELESS_RATIO * spent[twin].longest;
}

bool bench_hopeless_at_last(const struct bench_spent spent[ROLES], enum role twin, size_t rounds,
                            double budget, double seconds[ROLES])
{
    const struct bench_spent *student = &spent[ROLE_STUDENT];
    double turn = 0;
    if (rounds >= STATS_LEAST_ROUNDS || student->slices < 2)
        return false;
    for (enum role role = 0; role < ROLES; role++) {
        seconds[role] = mean(spent[role].own, spent[role].slices);
        if (role == ROLE_STUDENT) /* one slice may be long for any reason */
            seconds[role] = mean(student->own - student->longest, student->slices - 1);
        turn += seconds[role] + mean(spent[role].grader, spent[role].slices);
    }
    return reference_gains(seconds, twin) && STATS_LEAST_ROUNDS * turn > budget &&
           seconds[ROLE_STUDENT] >= HOPELESS_RATIO * seconds[twin];
}

bool bench_hopeless_perhaps(const struct bench_spent spent[ROLES], enum role twin, double budget)
{
    const double own = spent[ROLE_STUDENT].longest;
    return STATS_LEAST_ROUNDS * own > budget && own >= HOPELESS_RATIO * spent[twin].longest;
}

static void give_up_bound(const struct bound_spec *bound, enum role twin, const double seconds[ROLES],
                          struct bound_outcome *outcome)
{
    const double share = bound->limit / 1000.0, than = seconds[twin], reference = seconds[ROLE_REFERENCE],
                 slower = seconds[ROLE_STUDENT] / than;
    *outcome = (struct bound_outcome){.decision = DECIDE_FAIL, .unit = "x", .low = NAN, .high = NAN};
    snprintf(outcome->reason, sizeof outcome->reason, "%.0f times slower than the %s: not measured further",
             slower, role_name(twin));
    if (bound->kind == BOUND_SPEEDUP) {
        outcome->metric = "speedup";
        outcome->comparison = ">=";
        outcome->measured = 1 / slower;
        outcome->bound = than / stats_allowed(than, reference, share);
    } else if (bound->kind == BOUND_NO_SLOWER) {
        outcome->metric = "slowdown";
        outcome->comparison = "<=";
        outcome->measured = slower;
        outcome->bound = bound_no_slower_allowed(than, reference, share) / than;
    } else if (bound->kind == BOUND_AGREE) {
        outcome->metric = "ratio";
        outcome->comparison = "within";
        outcome->measured = slower;
        outcome->bound = share;
    } else {
        outcome->metric = bound->counter;
        outcome->comparison = "<=";
        outcome->measured = NAN;
        outcome->bound = share;
    }
}

void bench_give_up(const struct bench_task *task, enum tier tier, enum role twin, const double seconds[ROLES],
                   struct bench_report *report)
{
    report->control_straddles = report->undisturbed = true;
    for (size_t i = 0; i < task->bounds_count; i++) {
        give_up_bound(task->bounds[i], twin, seconds, &report->bounds[i]);
        if (task->def->value) /* which is not compared */
            report->bounds[i].measured = NAN;
        if (task->bounds[i]->kind == BOUND_COUNTER)
            report->bounds[i].skip = tier != TIER_PMU; /* not asked in any case */
    }
}
