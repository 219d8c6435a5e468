/* Verdicts from exact counts. */
#include <math.h>
#include <stdio.h>

#include "grader/check/bounds.h"

static enum decision decide_if(bool passes)
{
    return passes ? DECIDE_PASS : DECIDE_FAIL;
}

static void decide_speedup(const struct bound_spec *spec, const struct exact *exact,
                           struct bound_outcome *outcome)
{
    const double b = exact->cycles[VARIANT_BASELINE], s = exact->cycles[VARIANT_STUDENT],
                 r = exact->cycles[VARIANT_REFERENCE], share = spec->limit / 1000.0;
    const double allowed = stats_allowed(b, r, share);

    outcome->metric = "speedup";
    outcome->comparison = ">=";
    outcome->unit = "x";
    outcome->measured = b / s;
    outcome->bound = b / allowed;
    outcome->decision = decide_if(s <= allowed);
    outcome->score = outcome->decision == DECIDE_PASS ? 1 : stats_share_score(b / s, b / r, share);
    if (b / r > BOUND_LEAST_REFERENCE)
        return;
    outcome->skip = true;
    snprintf(outcome->reason, sizeof outcome->reason,
             "not judged: even the reference is only %.2fx as fast as the baseline on %s", b / r,
             exact->core);
}

static void decide_no_slower(const struct bound_spec *spec, const struct exact *exact,
                             struct bound_outcome *outcome)
{
    const double b = exact->cycles[VARIANT_BASELINE], s = exact->cycles[VARIANT_STUDENT];
    const double allowed = bound_no_slower_allowed(b, exact->cycles[VARIANT_REFERENCE], spec->limit / 1000.0);
    outcome->metric = "slowdown";
    outcome->comparison = "<=";
    outcome->unit = "x";
    outcome->measured = s / b;
    outcome->bound = allowed / b;
    outcome->decision = decide_if(s <= allowed);
}

/* The value that the student reports is within the tolerance of the reference's, either way. */
static void decide_agree(const struct bound_spec *spec, const struct exact *exact,
                         struct bound_outcome *outcome)
{
    const double s = exact->value[VARIANT_STUDENT], r = exact->value[VARIANT_REFERENCE];
    outcome->metric = "ratio";
    outcome->comparison = "within";
    outcome->unit = "x";
    outcome->bound = spec->limit / 1000.0;
    outcome->trusted = r;
    outcome->measured = s / r;
    outcome->decision = decide_if(s > 0 && s / r <= 1 + outcome->bound && r / s <= 1 + outcome->bound);
    if (!(s > 0)) { /* not even that */
        outcome->measured = 0;
        snprintf(outcome->reason, sizeof outcome->reason, "the value is %.3g", s);
    }
}

static void decide_counter(const struct bound_spec *spec, const struct exact *exact,
                           struct bound_outcome *outcome)
{
    outcome->metric = spec->counter;
    outcome->comparison = "<=";
    outcome->unit = "per element";
    outcome->measured = exact->counter;
    outcome->bound = spec->limit / 1000.0;
    outcome->decision = decide_if(outcome->measured <= outcome->bound);
}

void bounds_decide_exactly(const struct bound_spec *spec, const struct exact *exact,
                           struct bound_outcome *outcome)
{
    static void (*const decide[])(const struct bound_spec *, const struct exact *, struct bound_outcome *) = {
        [BOUND_SPEEDUP] = decide_speedup,
        [BOUND_NO_SLOWER] = decide_no_slower,
        [BOUND_AGREE] = decide_agree,
        [BOUND_COUNTER] = decide_counter,
    };
    *outcome = (struct bound_outcome){.low = NAN, .high = NAN, .settled = true};
    decide[spec->kind](spec, exact, outcome);
    if (spec->kind != BOUND_SPEEDUP)
        outcome->score = outcome->decision == DECIDE_PASS;
}
