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
    HANDOVERS = 5,
    WARM_UPS = 3,
};
/* What the order of turns is drawn from: behind all fillings of a layout. */
#define SEED_OF_ORDER UINT64_MAX
/* seconds: a call that needs no second warm-up */
#define LONG_CALL 0.01
/* seconds: a slice in which there is always something that disturbs */
#define LONG_SLICE 0.01
/* The first look is worth waiting for, up to so many times the budget. */
#define OVERDRAFT 2.0

/* What an empty plan costs, with this layout. */
static enum slice_outcome measure_handover(struct bench *bench, struct layout *layout,
                                           struct bench_report *report)
{
    double ticks[HANDOVERS], waits[HANDOVERS], apart = INFINITY;
    memset(&bench->shortest, 0, sizeof bench->shortest); /* another layout's says nothing */
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

/* A few slices of one call each: seconds of a call when warm, and undisturbed as far as that can be had; and
 * what they have had of the processors. */
static bool warm_up(struct bench *bench, const struct bench_task *task, struct layout *layout,
                    double *seconds, struct bench_spent *spent, struct bench_report *report)
{
    if (bench_fails(report, measure_handover(bench, layout, report)))
        return false;
    for (enum role role = 0; role < ROLES; role++) {
        struct slice slice;
        bool was_long = false;
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
            if (was_long && taken > LONG_CALL) /* one alone may be the machine's */
                break;
            was_long = taken > LONG_CALL;
        }
    }
    return true;
}

/* Values that the calls report are no times, and what disturbs them may lower them. A long slice is too long
 * to fall between two disturbances. There, each turn is a round. The student's slices have no say in it: who
 * is slow in a warm-up would choose how everything is measured. */
static bool single_turns(const struct bench_task *task, const double *seconds, size_t calls)
{
    bool is_long = false;
    if (task->def->parts > 1) /* two processes take long now and then; some slices are clean */
        return task->def->value != NULL;
    for (enum role role = 0; role < ROLES; role++)
        is_long = is_long || (role != ROLE_STUDENT && seconds[role] * (double)calls > LONG_SLICE);
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
    turn_order_begin(&m->order, seed_derive(m->task->seed, SEED_OF_ORDER), bench_twin(m->bench));
    return true;
}

static bool take_empty(struct measuring *m, size_t turn, double *ticks)
{
    struct handover one;
    if (bench_fails(m->report, bench_take_empty(m->bench, m->layout, &one, m->report)))
        return false;
    *ticks = one.ticks;
    return turns_add_empty(&m->turns, turn, one.ticks) || out_of_memory(m->report);
}

static void write_number(FILE *file, double number)
{
    fprintf(file, isnan(number) ? " -" : " %.9g", number);
}

static void write_numbers(FILE *file, const double *numbers)
{
    for (enum role role = 0; role < ROLES; role++)
        write_number(file, numbers[role]);
}

/* What follows the student's slice must not be slower for it (or quicker): the student could have flushed
 * what the others are to read. */
static void note_after(struct measuring *m, enum role after, const double *ticks)
{
    const enum role twin = bench_twin(m->bench);
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
    fprintf(file, "%s %zu %u", m->task->def->name, turn, turns_epoch(turn));
    write_number(file, empty);
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
            if (turns_has_empty(turn) && !take_empty(m, turn, &empty))
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

static double since(const struct bench *bench, uint64_t start)
{
    return (double)(clock_end() - start) / bench->frequency;
}

/* Is the time over? Before the first look a student's longest slice is not counted, since one alone proves
 * nothing; and one that could prove something is followed by another. */
static bool is_over(const struct measuring *m, double spent)
{
    const double most = OVERDRAFT * m->task->budget;
    if (m->turn >= STATS_FIRST_LOOK || m->elapsed > 0)
        return spent > m->task->budget;
    if (m->turn < 2 && (m->turn == 0 || bench_hopeless_perhaps(m->spent, bench_twin(m->bench), most)))
        return false;
    return spent - m->spent[ROLE_STUDENT].longest > most;
}

/* Are there too few rounds, and would more time not help? */
static bool hopeless(const struct measuring *m, double seconds[ROLES])
{
    return bench_hopeless_at_last(m->spent, bench_twin(m->bench), m->rounds.count,
                                  OVERDRAFT * m->task->budget, seconds);
}

static void give_up_the_slow(struct measuring *m)
{
    double seconds[ROLES];
    if (!hopeless(m, seconds))
        return;
    m->report->outcome = BENCH_MEASURED;
    bench_give_up(m->task, m->bench->config.tier, bench_twin(m->bench), seconds, m->report);
}

/* The turns that there were have the last word. */
static void end(struct measuring *m)
{
    bench_look(m, true);
    give_up_the_slow(m);
    m->ended = true;
}

/* The rehearsals for which there were too few turns. */
static void make_up(struct measuring *m)
{
    if (m->begun && m->report->outcome == BENCH_MEASURED &&
        !bench_fails_all(m) && /* else what is wrong beside it costs nothing more */
        !rehearsals_make_up(&m->rehearsals, m->bench, m->task, &m->layout, m->report))
        m->ended = true;
}

/* Turn after turn, until all is decided and, where that is asked, known well enough, or the time is over. */
static void take_turns(struct measuring *m, uint64_t start)
{
    double spent = m->elapsed + since(m->bench, start);
    while (!m->ended && (m->turn < ROUNDS_MAX || !m->turns.single) && !is_over(m, spent)) {
        progress("measuring %s: slice %zu", m->task->def->name, m->turn + 1);
        if (!bench_enter(m->bench, turns_epoch(m->turn), m->report) ||
            !rehearsals_make(&m->rehearsals, m->bench, m->task, m->turn, &m->layout, m->report) ||
            !take_turn(m, m->turn)) {
            if (m->report->outcome == BENCH_APART) /* there was no time left to take it again */
                give_up_the_slow(m);
            m->ended = true;
            return;
        }
        bench_note_round(m);
        spent = m->elapsed + since(m->bench, start);
        m->turn++;
        if (stats_checkpoint(m->turn) && bench_look(m, false)) {
            m->ended = bench_precise(m, spent);
            if (m->task->only_decide)
                return;
        }
    }
}

/* Warm up, and have what turns need. False: there are none to be taken, and report says why. */
static bool prepare(struct measuring *m)
{
    const struct bench_task *task = m->task;
    double seconds[ROLES] = {0}, own[ROLES];
    struct bench_spent spent[ROLES] = {0};
    if (task->def->parts > 1 && m->bench->config.second < 0) {
        m->report->outcome = BENCH_APART;
        snprintf(m->report->message, sizeof m->report->message,
                 "not judged here: its two threads need two CPUs, and there is one");
        return false;
    }
    m->layout = bench_open_layout(m->bench, task, task->def, task->seed, m->report);
    if (!m->layout || !bench_enter(m->bench, 0, m->report) ||
        !warm_up(m->bench, task, m->layout, seconds, spent, m->report))
        return false;
    m->calls = layout_count(m->layout);
    m->report->elements = m->calls * task->elements;
    /* how long it takes to report a value says nothing of the value */
    if (!task->def->value &&
        bench_hopeless_at_first(spent, bench_twin(m->bench), m->calls, task->budget, own)) {
        bench_give_up(task, m->bench->config.tier, bench_twin(m->bench), own, m->report);
        return false;
    }
    return begin(m, single_turns(task, seconds, m->calls));
}

/* As it was before another had the arena. */
static bool resume(struct measuring *m)
{
    return rehearsals_reopen(&m->rehearsals, m->bench, m->task, &m->layout, m->report) &&
           bench_enter(m->bench, turns_epoch(m->turn), m->report) &&
           !bench_fails(m->report, measure_handover(m->bench, m->layout, m->report));
}

/* To others, unless a message has to tell what lay there. */
static void leave_arena(struct measuring *m)
{
    if (m->report->outcome == BENCH_BROKE || m->report->outcome == BENCH_KILLED)
        return;
    layout_close(m->layout);
    m->layout = NULL;
}

struct measuring *bench_measuring_open(struct bench *bench, const struct bench_task *task,
                                       struct bench_report *report)
{
    struct measuring *m = calloc(1, sizeof *m);
    *report = (struct bench_report){.outcome = BENCH_MEASURED};
    if (m)
        *m = (struct measuring){.bench = bench, .task = task, .report = report};
    return m;
}

bool bench_measure(struct measuring *m)
{
    const uint64_t start = clock_begin();
    double seconds[ROLES];
    m->bench->entered = false; /* another may have had the arena */
    m->bench->retake_until = m->task->now() + OVERDRAFT * (m->task->budget - m->elapsed);
    const bool ready = m->begun ? resume(m) : prepare(m);
    m->begun = m->begun || ready;
    m->ended = !ready;
    if (ready)
        take_turns(m, start);
    const bool settled = bench_settled(m) && !m->task->only_decide;
    if (!m->ended && (settled || (m->turns.single && m->turn >= ROUNDS_MAX) || hopeless(m, seconds)))
        end(m);
    m->elapsed += since(m->bench, start);
    make_up(m);
    leave_arena(m);
    if (m->report->outcome == BENCH_KILLED) /* others may have been, too */
        bench_leave(m->bench);
    return !m->ended;
}

void bench_measure_end(struct measuring *m)
{
    if (!m->ended)
        end(m);
}

const struct layout *bench_measuring_layout(const struct measuring *m)
{
    return m->layout;
}

void bench_measuring_close(struct measuring *m)
{
    if (!m)
        return;
    layout_close(m->layout);
    rehearsals_end(&m->rehearsals);
    rounds_free(&m->rounds);
    turns_close(&m->turns);
    free(m);
}
