/* What becomes of a bound that was timed natively: its verdict, also where nothing is believed, and at the
 * last try. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grader/check/bench.h"
#include "grader/check/check_internal.h"

/* Why nothing that was measured is believed: a word, a colon, the reason. False: it is. */
static bool unbelievable(const struct bench_report *report, char *why, size_t size)
{
    if (!report->control_straddles)
        snprintf(why, size, "noise: two runs of the same code differ by %.1f %% here",
                 100 * fabs(expm1(report->control.median)));
    else if (!report->undisturbed)
        snprintf(why, size,
                 "aftermath: right after your code the suite's own takes %.1f %% %s than otherwise",
                 100 * fabs(expm1(report->after.median)), report->after.median > 0 ? "longer" : "less");
    else
        return false;
    return true;
}

/* Does it pass without what the student's code took from the others in its aftermath? */
static bool passes_unaided(const struct bound_outcome *outcome, const struct bench_report *report)
{
    const double slower = report->undisturbed ? 1 : exp(fmax(report->after.median, 0));
    if (!outcome->median_passes || !outcome->comparison)
        return outcome->median_passes;
    return strcmp(outcome->comparison, ">=") == 0   ? outcome->measured / slower >= outcome->bound
           : strcmp(outcome->comparison, "<=") == 0 ? outcome->measured * slower <= outcome->bound
                                                    : true;
}

/* The part of its points that its median brings. */
static double share_by_median(const struct bound_outcome *outcome, const struct bench_report *report)
{
    return passes_unaided(outcome, report) ? 1 : outcome->score < 1 ? outcome->score : 0;
}

/* Undecided for the last time: as the median of all tries says. One try by itself may be all noise. Of two
 * the last one counts. */
static void settle(const struct check_context *context, const struct bound_spec *bound,
                   struct bound_outcome *outcome)
{
    double shares[CHECK_TRIES] = {outcome->score};
    size_t count = 1;
    char why[sizeof outcome->reason];
    for (unsigned i = context->tries; i-- > 0;) {
        const struct check *check =
            context->tried[i] ? result_find_check(context->tried[i], bound->name) : NULL;
        if (check && check->verdict != VERDICT_SKIP && check->verdict != VERDICT_ERROR)
            shares[count++] = check->share;
    }
    outcome->score = stats_median(shares, count % 2 ? count : count - 1);
    outcome->decision = outcome->score >= 1 ? DECIDE_PASS : DECIDE_FAIL;
    memcpy(why, outcome->reason, sizeof why);
    snprintf(outcome->reason, sizeof outcome->reason, "close, and decided by its median (%.200s)", why);
}

void check_report_timed(struct checking *checking, const struct bound_spec *bound,
                        const struct bench_report *report, struct bound_outcome *outcome)
{
    char why[256];
    const bool doubted = unbelievable(report, why, sizeof why) && !outcome->settled;
    bool skip = outcome->skip && (!doubted || !outcome->by_timing);
    bool open = !skip && (doubted || outcome->decision == DECIDE_MORE);
    if (doubted && open)
        snprintf(outcome->reason, sizeof outcome->reason, "%s", why);
    if (open)
        outcome->score = share_by_median(outcome, report);
    if (open && checking->context->tries == CHECK_TRIES - 1) {
        open = false;
        skip = outcome->median_skips;
        if (!skip)
            settle(checking->context, bound, outcome);
    }
    enum verdict verdict = skip                               ? VERDICT_SKIP
                           : open                             ? VERDICT_UNSTABLE
                           : outcome->decision == DECIDE_PASS ? VERDICT_PASS
                                                              : VERDICT_FAIL;
    struct check *check = check_add_bound(checking, bound, verdict, outcome);
    if (verdict != VERDICT_SKIP)
        check->rounds = report->rounds;
}
