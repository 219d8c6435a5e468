/* Between turns: what the rounds say of each bound, and whether that is enough. */
#include <math.h>
#include <string.h>

#include "grader/check/bench_internal.h"
#include "harness/clock/clock.h"

enum { CHAIN_US = 20 };
/* A speedup is known well enough when no variant's rounds are, in the median, longer than so many times the
 * least one: else more turns would find less. But noise that stays may look like that for a while: not before
 * this part of the budget is spent. */
#define PRECISE      1.02
#define LEAST_BUDGET 0.25
/* A clear verdict: so many widths of the interval that decides fit between it and the bound. But at
 * the first look an epoch has too few turns to tell who is quick in some calls only. */
#define CLEAR_WIDTHS 1.0
enum { LEAST_TURNS = 2 * STATS_FIRST_LOOK };

/* Of a slice; NAN where these do not have that event. */
static double counted(const struct bench_task *task, const struct pmu_count *counters, uint64_t elements,
                      bool *found)
{
    for (size_t i = 0; i < task->bounds_count; i++) {
        if (task->bounds[i]->kind != BOUND_COUNTER)
            continue;
        for (enum pmu_event event = 0; event < PMU_EVENTS; event++) {
            if (counters->present[event] && strcmp(pmu_event_name(event), task->bounds[i]->counter) == 0) {
                *found = true;
                return (double)counters->value[event] / (double)elements;
            }
        }
    }
    return NAN;
}

void bench_note_round(struct measuring *m)
{
    const size_t at = turns_round(&m->turns, m->turn);
    struct rounds *rounds = &m->rounds;
    const uint64_t operations = layout_operations(m->layout, m->calls);
    rounds->chain[at] = clock_ticks_per_cycle(CHAIN_US);
    for (enum role role = 0; role < ROLES; role++) {
        const struct slice *slice = turns_slice(&m->turns, at, role);
        struct bench_role *counts = &m->report->roles[role];
        rounds->time[role][at] = turns_ticks(&m->turns, at, role);
        rounds->value[role][at] = m->task->def->value
                                      ? slice->value
                                      : rounds->time[role][at] / rounds->chain[at] / (double)operations;
        pmu_merge(&counts->counters, turns_counters(&m->turns, at, role));
    }
    rounds->epoch[at] = (unsigned char)m->bench->epoch;
    rounds->counter[at] = counted(m->task, turns_counters(&m->turns, at, ROLE_STUDENT), m->report->elements,
                                  &rounds->has_counter);
    if (at >= rounds->count)
        rounds->count = at + 1;
}

static void summarize(const struct rounds *rounds, struct bench_report *report)
{
    double times[ROUNDS_MAX];
    report->rounds = rounds->count;
    memcpy(times, rounds->chain, rounds->count * sizeof *times);
    report->ticks_per_cycle = stats_median(times, rounds->count);
    if (report->ticks_per_cycle <= 0) /* few chains, and interrupted ones */
        report->ticks_per_cycle = NAN;
    for (enum role role = 0; role < ROLES; role++) {
        size_t count = 0;
        for (size_t i = 0; rounds->present[role] && i < rounds->count; i++)
            if (isfinite(rounds->time[role][i]))
                times[count++] = rounds->time[role][i];
        report->roles[role].ticks = report->roles[role].minimum = NAN; /* as long as no round counts */
        if (count == 0)
            continue;
        report->roles[role].ticks = stats_median(times, count);
        report->roles[role].minimum = stats_quantile(times, count, 0);
    }
}

static struct estimate after_student(const struct measuring *m)
{
    double ratios[ROUNDS_MAX];
    const size_t count = m->after_count < ROUNDS_MAX ? m->after_count : ROUNDS_MAX;
    memcpy(ratios, m->after, count * sizeof *ratios);
    return stats_estimate(ratios, count, STATS_LOOK_ALPHA);
}

bool bench_look(struct measuring *m, bool is_last)
{
    struct bench_report *report = m->report;
    m->rounds.ended = is_last;
    /* Two processes take long now and then, whoever's they are: those are not compared. */
    if (m->task->def->parts < 2)
        turns_compare(&m->turns, &m->rounds);
    summarize(&m->rounds, report);
    report->control = bounds_control(&m->rounds, &report->control_straddles);
    report->after = after_student(m);
    report->undisturbed = bounds_straddle(report->after);
    report->takes_no_time = bounds_take_no_time(&m->rounds);
    report->most_cycles = bounds_most_cycles(&m->rounds);
    report->handover = turns_handover(&m->turns, m->rounds.count);
    const bool good = report->control_straddles && report->undisturbed;
    bool done = good;
    for (size_t i = 0; i < m->task->bounds_count; i++) {
        struct bound_outcome now;
        bounds_decide(m->task->bounds[i], &m->rounds, &now);
        now.settled = good && (now.skip || now.decision != DECIDE_MORE);
        if (now.settled || now.retracts || !report->bounds[i].settled)
            report->bounds[i] = now;
        done = done && now.settled;
    }
    return done || report->takes_no_time;
}

/* Is each speedup so far from its bound that nobody will ask for more digits? */
static bool clear(const struct measuring *m)
{
    for (size_t i = 0; i < m->task->bounds_count; i++) {
        const struct bound_outcome *outcome = &m->report->bounds[i];
        if (m->task->bounds[i]->kind == BOUND_SPEEDUP && !outcome->skip && outcome->clear < CLEAR_WIDTHS)
            return false;
    }
    return true;
}

bool bench_precise(const struct measuring *m, double spent)
{
    bool asked = false;
    if (m->report->takes_no_time)
        return true;
    for (size_t i = 0; i < m->task->bounds_count; i++)
        if (m->report->bounds[i].doubtful)
            return false;
    if (!m->turns.single && m->turn < LEAST_TURNS)
        return false;
    if (m->task->quick && clear(m))
        return true;
    for (size_t i = 0; i < m->task->bounds_count; i++)
        asked = asked || m->task->bounds[i]->kind == BOUND_SPEEDUP;
    if (asked && (m->turns.single || m->turns.quartile)) /* each turn is a round more, or more of one */
        return false;
    if (asked && spent < LEAST_BUDGET * m->task->budget)
        return false;
    for (enum role role = 0; asked && role < ROLES; role++)
        if (m->report->roles[role].ticks > PRECISE * m->report->roles[role].minimum)
            return false;
    return true;
}

bool bench_fails_all(const struct measuring *m)
{
    bool all = true;
    for (size_t i = 0; i < m->task->bounds_count; i++)
        all = all && m->report->bounds[i].decision == DECIDE_FAIL;
    return all;
}

bool bench_settled(const struct measuring *m)
{
    for (size_t i = 0; i < m->task->bounds_count; i++)
        if (!m->report->bounds[i].settled)
            return false;
    return true;
}
