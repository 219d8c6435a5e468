/* Taking turns: baseline, student, reference and control, in random order, until every bound is decided. */
#include "grader/check/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/check/bench_internal.h"
#include "harness/base/progress.h"
#include "harness/base/draw.h"
#include "harness/base/seed.h"
#include "harness/clock/clock.h"

enum {
    HANDOVERS = 9,
    CHAIN_US = 20,
    WARM_UPS = 4,
};
/* What the order of turns is drawn from: behind all fillings of a layout. */
#define SEED_OF_ORDER UINT64_MAX
/* seconds: a call that needs no second warm-up */
#define LONG_CALL 0.01
/* seconds: a slice in which there is always something that disturbs */
#define LONG_SLICE 0.01
/* A speedup is known well enough when no variant's rounds are, in the median, longer than so many times the
 * least one: else more turns would find less. But noise that stays may look like that for a while: not before
 * this part of the budget is spent. */
#define PRECISE      1.02
#define LEAST_BUDGET 0.25
/* The first look is worth waiting for, up to so many times the budget; and what is undecided, as long as the
 * check has time. */
#define OVERDRAFT 2.0
#define BORROWED  2.0
/* A clear verdict: so many widths of the interval that decides fit between it and the bound. But at
 * the first look an epoch has too few turns to tell who is quick in some calls only. */
#define CLEAR_WIDTHS 1.0
enum { LEAST_TURNS = 2 * STATS_FIRST_LOOK };

/* What an empty plan costs, with this layout. */
static enum slice_outcome measure_handover(struct bench *bench, struct layout *layout,
                                           struct bench_report *report)
{
    double ticks[HANDOVERS], waits[HANDOVERS], apart = INFINITY;
    for (int i = 0; i < HANDOVERS; i++) {
        struct handover one;
        enum slice_outcome outcome = bench_take_empty(bench, layout, &one, report);
        if (outcome != SLICE_OK)
            return outcome;
        ticks[i] = one.ticks;
        waits[i] = one.waited_ns;
        apart = fmin(apart, one.apart_ns);
    }
    bench->handover =
        (struct handover){stats_median(ticks, HANDOVERS), stats_median(waits, HANDOVERS), apart};
    return SLICE_OK;
}

/* The control's twin: the same code. */
static enum role twin_of(const struct bench *bench)
{
    return bench_has(bench, ROLE_BASELINE) ? ROLE_BASELINE : ROLE_REFERENCE;
}

/* A few slices of one call each: seconds of a call when warm, and undisturbed as far as that can be had; and
 * what they have had of the processors. */
static bool warm_up(struct bench *bench, const struct bench_task *task, struct layout *layout,
                    double *seconds, struct bench_spent *spent, struct bench_report *report)
{
    if (bench_fails(report, measure_handover(bench, layout, report)))
        return false;
    for (enum role role = 0; role < ROLES; role++) {
        struct slice slice;
        if (!bench_has(bench, role))
            continue;
        seconds[role] = INFINITY;
        for (int i = 0; i < WARM_UPS; i++) {
            if (bench_fails(report, bench_take_slice(bench, task, role, layout, 1, &slice, report)))
                return false;
            double taken = (slice.ticks - bench->handover.ticks) / bench->frequency;
            if (i > 0 || taken > LONG_CALL) /* a short one is cold at first */
                seconds[role] = fmin(seconds[role], taken);
            bench_spent_add(&spent[role], &slice);
            if (i > 0 && taken > LONG_CALL)
                break;
        }
    }
    return true;
}

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

/* One case on its way. */
struct measuring {
    struct bench *bench;
    const struct bench_task *task;
    struct layout *layout;
    struct rehearsals rehearsals;
    size_t calls; /* of a slice */
    struct turns turns;
    struct rounds rounds;
    struct turn_order order;
    /* Twins of the same code in one turn, one of them right after the student: the logarithm of how much
     * longer that one took, of the last so many turns. */
    double after[ROUNDS_MAX];
    size_t after_count;
    struct bench_spent spent[ROLES]; /* by their slices in turns */
    struct bench_report *report;
};

/* Values that the calls report are no times, and what disturbs them may lower them. A long slice is too long
 * to fall between two disturbances. There, each turn is a round. */
static bool single_turns(const struct bench_task *task, const double *seconds, size_t calls)
{
    bool is_long = false;
    if (task->def->parts > 1) /* two processes take long now and then; some slices are clean */
        return task->def->value != NULL;
    for (enum role role = 0; role < ROLES; role++)
        is_long = is_long || seconds[role] * (double)calls > LONG_SLICE;
    return task->def->value || is_long;
}

static bool out_of_memory(struct bench_report *report)
{
    report->outcome = BENCH_ERROR;
    snprintf(report->message, sizeof report->message, "out of memory");
    return false;
}

static bool begin(struct measuring *m, bool single)
{
    if (!turns_open(&m->turns, single, m->task->def->waits_for_memory) || !rounds_allocate(&m->rounds) ||
        !rehearsals_begin(&m->rehearsals, m->task))
        return out_of_memory(m->report);
    for (enum role role = 0; role < ROLES; role++)
        m->rounds.present[role] = bench_has(m->bench, role);
    m->rounds.has_values = m->task->def->value != NULL;
    turn_order_begin(&m->order, seed_derive(m->task->seed, SEED_OF_ORDER), twin_of(m->bench));
    return true;
}

static bool take_empty(struct measuring *m, size_t turn, double *ticks)
{
    struct handover one;
    if (bench_fails(m->report, bench_take_empty(m->bench, m->layout, &one, m->report)))
        return false;
    *ticks = one.ticks;
    turns_add_empty(&m->turns, turn, one.ticks);
    return true;
}

static void write_numbers(FILE *file, const double *numbers)
{
    for (enum role role = 0; role < ROLES; role++)
        fprintf(file, isnan(numbers[role]) ? " -" : " %.9g", numbers[role]);
}

/* What follows the student's slice must not be slower for it (or quicker): the student could have flushed
 * what the others are to read. */
static void note_after(struct measuring *m, enum role after, const double *ticks)
{
    const enum role twin = twin_of(m->bench);
    if (after != twin && after != ROLE_CONTROL)
        return;
    const double ratio = log(ticks[after] / ticks[after == twin ? ROLE_CONTROL : twin]);
    m->after[m->after_count++ % ROUNDS_MAX] = ratio;
}

static void write_turn(const struct measuring *m, size_t turn, double empty, const double *ticks,
                       const double *values)
{
    FILE *file = m->bench->config.turns;
    if (!file)
        return;
    fprintf(file, "%s %zu %u %.9g", m->task->def->name, turn, turns_epoch(turn), empty);
    write_numbers(file, ticks);
    write_numbers(file, values);
    fputc('\n', file);
}

/* Every role a slice, and an empty plan, in an order that nobody can foretell. */
static bool take_turn(struct measuring *m, size_t turn)
{
    unsigned steps[TURN_STEPS];
    double ticks[ROLES] = {NAN, NAN, NAN, NAN}, values[ROLES] = {NAN, NAN, NAN, NAN}, empty = NAN;
    turn_order_draw(&m->order, turn, steps);
    for (size_t i = 0; i < TURN_STEPS; i++) {
        const enum role role = (enum role)steps[i];
        struct slice slice;
        if (steps[i] == TURN_EMPTY) {
            if (!take_empty(m, turn, &empty))
                return false;
            continue;
        }
        if (!bench_has(m->bench, role))
            continue;
        if (bench_fails(m->report,
                        bench_take_slice(m->bench, m->task, role, m->layout, m->calls, &slice, m->report)))
            return false;
        ticks[role] = slice.ticks;
        bench_spent_add(&m->spent[role], &slice);
        if (m->task->def->value)
            values[role] = slice.value;
        m->report->roles[role].slices++;
        m->report->roles[role].disturbed += slice.disturbed;
        if (!turns_add(&m->turns, turn, role, &slice))
            return out_of_memory(m->report);
    }
    note_after(m, turn_follows(steps), ticks);
    write_turn(m, turn, empty, ticks, values);
    return true;
}

/* The round as it is with all its turns until now. */
static void note_round(struct measuring *m, size_t at)
{
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

/* All bounds with the rounds as they are. True when all are decided. */
static bool look(struct measuring *m, bool ended)
{
    struct bench_report *report = m->report;
    m->rounds.ended = ended;
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
        if (now.settled || !report->bounds[i].settled)
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

/* Or does it pay to go on though all is decided? */
static bool precise(const struct measuring *m, size_t turns, double spent)
{
    bool asked = false;
    if (m->report->takes_no_time)
        return true;
    for (size_t i = 0; i < m->task->bounds_count; i++)
        if (m->report->bounds[i].doubtful)
            return false;
    if (!m->turns.single && turns < LEAST_TURNS)
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

/* In every bound? */
static bool fails(const struct measuring *m)
{
    bool all = true;
    for (size_t i = 0; i < m->task->bounds_count; i++)
        all = all && m->report->bounds[i].decision == DECIDE_FAIL;
    return all;
}

static double since(const struct bench *bench, uint64_t start)
{
    return (double)(clock_end() - start) / bench->frequency;
}

/* All bounds, at the last look? */
static bool all_settled(const struct measuring *m)
{
    for (size_t i = 0; i < m->task->bounds_count; i++)
        if (!m->report->bounds[i].settled)
            return false;
    return true;
}

/* Is the time over? Before the first look a student's longest slice is not counted, since one alone proves
 * nothing; and one that could prove something is followed by another. */
static bool is_over(const struct measuring *m, size_t turn, double spent)
{
    const double most = OVERDRAFT * m->task->budget;
    if (turn >= STATS_FIRST_LOOK)
        return spent > m->task->budget && (all_settled(m) || spent > BORROWED * m->task->budget ||
                                           m->task->now() > m->task->borrow_until);
    if (turn < 2 && (turn == 0 || bench_hopeless_perhaps(m->spent, twin_of(m->bench), most)))
        return false;
    return spent - m->spent[ROLE_STUDENT].longest > most;
}

/* It is, and there were too few rounds. */
static void give_up_the_slow(struct measuring *m)
{
    const enum role twin = twin_of(m->bench);
    double seconds[ROLES];
    if (!bench_hopeless_at_last(m->spent, twin, m->rounds.count, OVERDRAFT * m->task->budget, seconds))
        return;
    m->report->outcome = BENCH_MEASURED;
    bench_give_up(m->task, m->bench->config.tier, twin, seconds, m->report);
}

/* Turn after turn, until all is decided and known well enough or the time is over. */
static void take_turns(struct measuring *m, uint64_t start)
{
    double spent = since(m->bench, start);
    bool done = false;

    for (size_t turn = 0; !done && (turn < ROUNDS_MAX || !m->turns.single); turn++) {
        if (is_over(m, turn, spent))
            break;
        progress("measuring %s: slice %zu", m->task->def->name, turn + 1);
        if (!bench_enter(m->bench, turns_epoch(turn), m->report) ||
            !rehearsals_make(&m->rehearsals, m->bench, m->task, turn, &m->layout, m->report) ||
            !take_turn(m, turn)) {
            if (m->report->outcome == BENCH_APART) /* there was no time left to take it again */
                give_up_the_slow(m);
            return;
        }
        note_round(m, turns_round(&m->turns, turn));
        spent = since(m->bench, start);
        if (stats_checkpoint(turn + 1))
            done = look(m, false) && precise(m, turn + 1, spent);
    }
    if (!done) {
        look(m, true);
        give_up_the_slow(m);
    }
    if (!fails(m)) /* else what is wrong beside it costs nothing more */
        rehearsals_make_up(&m->rehearsals, m->bench, m->task, &m->layout, m->report);
}

void bench_measure(struct bench *bench, const struct bench_task *task, struct bench_report *report,
                   struct layout **layout)
{
    struct measuring m = {.bench = bench, .task = task, .report = report};
    double seconds[ROLES] = {0}, own[ROLES];
    struct bench_spent spent[ROLES] = {0};
    const uint64_t start = clock_begin();

    *report = (struct bench_report){.outcome = BENCH_MEASURED};
    bench_leave(bench);
    bench->retake_until = task->now() + OVERDRAFT * task->budget;
    *layout = NULL;
    if (task->def->parts > 1 && bench->config.second < 0) {
        report->outcome = BENCH_APART;
        snprintf(report->message, sizeof report->message,
                 "not judged here: its two threads need two CPUs, and there is one");
        return;
    }
    m.layout = bench_open_layout(bench, task, task->def, task->seed, report);
    if (m.layout && bench_enter(bench, 0, report) && warm_up(bench, task, m.layout, seconds, spent, report)) {
        m.calls = layout_count(m.layout);
        report->elements = m.calls * task->elements;
        /* how long it takes to report a value says nothing of the value */
        if (!task->def->value && bench_hopeless_at_first(spent, twin_of(bench), m.calls, task->budget, own))
            bench_give_up(task, bench->config.tier, twin_of(bench), own, report);
        else if (begin(&m, single_turns(task, seconds, m.calls)))
            take_turns(&m, start);
    }
    *layout = m.layout;
    rehearsals_end(&m.rehearsals);
    rounds_free(&m.rounds);
    turns_close(&m.turns);
}
