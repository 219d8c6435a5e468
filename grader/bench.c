#include "grader/bench.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/turns.h"
#include "harness/clock/clock.h"
#include "harness/progress.h"

enum {
    HANDOVERS = 31,
    CALLS_CHOSEN = 4,  /* most calls of a slice where the grader chooses, */
    CALLS_LIMIT = 256, /* and where the exercise does */
    SLICE_LIMIT_MS = 4000,
    CHAIN_US = 20,
    WARM_UPS = 4,
    MOVES_MOST = 5,
};
/* seconds, of the slowest variant, where the grader chooses */
#define SLICE_WANTED 0.0005
/* seconds: a call that needs no second warm-up */
#define LONG_CALL 0.01
/* seconds: a slice in which there is always something that disturbs */
#define LONG_SLICE 0.01
/* A speedup is known well enough when no variant's rounds are, in the median, longer than so many times the
 * least one: else more turns would find less. But noise that stays may look like that for a while: not before
 * this part of the budget is spent. */
#define PRECISE      1.02
#define LEAST_BUDGET 0.25
/* A slice is disturbed when its process waited for the CPU longer than this part of it, and than this, over
 * what a hand-over waits anyway. */
#define WAITED_SHARE 0.005
#define WAITED_NS    10000
/* What a process may run between its slices: the end of its stopping. */
#define IDLE_NS 100000
/* The first look is worth waiting for, up to so many times the budget. */
#define OVERDRAFT 2.0
/* Slower than the baseline by this at its best, where the first look would come later than that. */
#define HOPELESS_RATIO 3.0

struct bench {
    struct arena *arena;
    struct bench_config config;
    struct machine *machine[ROLES];
    struct pmu *pmu[ROLES];
    double handover[ROLES];        /* ticks */
    uint64_t handover_wait[ROLES]; /* ns */
    uint64_t ran[ROLES];           /* ns of CPU at the end of the last plan; 0: not known */
    unsigned moved[ROLES];         /* slices before which it ran though it was stopped */
    double frequency;
};

static bool start(struct bench *bench, enum role role, struct error *err)
{
    struct machine_config config = {
        .program = bench->config.program[role], .cpu = bench->config.cpu, .drop_privileges = true};
    struct error ignored;

    bench->machine[role] = machine_start(&config, bench->arena, err);
    if (bench->machine[role] && bench->config.tier == TIER_PMU)
        bench->pmu[role] = pmu_open(bench->config.pmu, machine_pid(bench->machine[role]), &ignored);
    return bench->machine[role] != NULL;
}

static void stop(struct bench *bench, enum role role)
{
    if (bench->pmu[role])
        pmu_close(bench->pmu[role]);
    bench->pmu[role] = NULL;
    machine_stop(bench->machine[role]);
    bench->machine[role] = NULL;
}

struct bench *bench_open(const struct bench_config *config, struct arena *arena, struct error *err)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench) {
        error_set(err, "out of memory");
        return NULL;
    }
    bench->arena = arena;
    bench->config = *config;
    bench->frequency = clock_frequency();
    for (enum role role = 0; role < ROLES; role++) {
        if (config->program[role] && !start(bench, role, err)) {
            bench_close(bench);
            return NULL;
        }
    }
    return bench;
}

void bench_close(struct bench *bench)
{
    if (!bench)
        return;
    for (enum role role = 0; role < ROLES; role++)
        stop(bench, role);
    free(bench);
}

bool bench_restart(struct bench *bench, struct error *err)
{
    for (enum role role = 0; role < ROLES; role++) {
        if (!bench->config.program[role])
            continue;
        stop(bench, role);
        bench->ran[role] = 0;
        if (!start(bench, role, err))
            return false;
    }
    return true;
}

/* One execution of the plan, timed around, and how long the runner waited for the CPU meanwhile. (How long
 * the grader did says nothing: it is mostly ready and preempted by the runner that it has just woken.) */
struct execution {
    double ticks;
    uint64_t waited_ns;
    bool moved; /* the process ran before it was told to */
    struct machine_run run;
};

/* Has it run since its last plan? */
static bool has_moved(const struct bench *bench, enum role role, const struct schedule *now)
{
    return bench->ran[role] > 0 && now->ran_ns > bench->ran[role] + IDLE_NS;
}

enum slice_outcome { SLICE_OK, SLICE_WRONG, SLICE_BROKE, SLICE_MOVED };

static enum slice_outcome execute(struct bench *bench, enum role role, struct execution *execution)
{
    struct schedule before, after;
    struct machine *machine = bench->machine[role];
    bool known = machine_schedule(machine, &before);

    *execution = (struct execution){.moved = known && has_moved(bench, role, &before)};
    uint64_t begin = clock_begin();
    machine_execute(machine, SLICE_LIMIT_MS, &execution->run);
    execution->ticks = (double)(clock_end() - begin);
    if (execution->run.outcome != MACHINE_DONE)
        return SLICE_BROKE;
    if (known && machine_schedule(machine, &after)) {
        execution->waited_ns = after.waited_ns - before.waited_ns;
        bench->ran[role] = after.ran_ns;
    }
    /* Once may be the host's doing, which took the CPU away in the last microsecond of a stop. */
    return execution->moved && ++bench->moved[role] >= MOVES_MOST ? SLICE_MOVED : SLICE_OK;
}

/* Map the layout and measure what an empty plan costs. */
static enum slice_outcome measure_handover(struct bench *bench, enum role role, struct layout *layout,
                                           struct machine_run *run)
{
    double ticks[HANDOVERS], waits[HANDOVERS];
    struct execution execution;
    layout_fill(layout, 0);
    for (int i = -1; i < HANDOVERS; i++) {
        enum slice_outcome outcome = execute(bench, role, &execution);
        *run = execution.run;
        if (outcome != SLICE_OK)
            return outcome;
        if (i < 0) /* this one maps the regions */
            continue;
        ticks[i] = execution.ticks;
        waits[i] = (double)execution.waited_ns;
    }
    bench->handover[role] = stats_median(ticks, HANDOVERS);
    bench->handover_wait[role] = (uint64_t)stats_median(waits, HANDOVERS);
    return SLICE_OK;
}

/* A student's process that has run meanwhile may have been at the others' data. */
static bool student_moved(const struct bench *bench)
{
    struct schedule now;
    return machine_schedule(bench->machine[ROLE_STUDENT], &now) && has_moved(bench, ROLE_STUDENT, &now);
}

/* One slice of `calls` calls with fresh contents, its results verified. */
static enum slice_outcome take_slice(struct bench *bench, const struct bench_task *task, enum role role,
                                     struct layout *layout, size_t calls, struct slice *slice,
                                     struct bench_report *report)
{
    double values[CALLS_LIMIT];
    struct execution execution;
    struct finding why;

    *slice = (struct slice){0};
    report->role = role;
    layout_fill(layout, calls);
    if (bench->pmu[role])
        pmu_start(bench->pmu[role]);
    enum slice_outcome outcome = execute(bench, role, &execution);
    report->run = execution.run;
    if (outcome != SLICE_OK)
        return outcome;
    if (bench->pmu[role]) {
        pmu_stop(bench->pmu[role]);
        slice->has_counters = pmu_read(bench->pmu[role], &slice->counters);
    }
    double waited = (double)execution.waited_ns - (double)bench->handover_wait[role];
    slice->disturbed = execution.moved || (waited > WAITED_NS &&
                                           waited > WAITED_SHARE * 1e9 * execution.ticks / bench->frequency);
    slice->ticks = execution.moved ? INFINITY : execution.ticks;
    for (size_t i = 0; i < calls; i++) {
        if (!layout_verify(layout, i, &why)) {
            snprintf(report->message, sizeof report->message, "wrong result in a timed call with n = %zu: %s",
                     layout_elements(layout, i), why.text);
            if (role != ROLE_STUDENT && student_moved(bench)) {
                report->role = ROLE_STUDENT;
                return SLICE_MOVED;
            }
            return SLICE_WRONG;
        }
        if (task->def->value && i < CALLS_LIMIT)
            values[i] = layout_value(layout, i);
    }
    if (task->def->value)
        slice->value = stats_median(values, calls < CALLS_LIMIT ? calls : CALLS_LIMIT);
    return SLICE_OK;
}

static struct layout *open_layout(struct bench *bench, const struct bench_task *task, size_t calls,
                                  struct bench_report *report)
{
    struct layout_call wanted[CALLS_LIMIT];
    struct error err;
    if (calls > CALLS_LIMIT)
        calls = CALLS_LIMIT;
    for (size_t i = 0; i < calls; i++)
        wanted[i] = (struct layout_call){task->elements, ARENA_AT_START};
    struct layout_request request = {.def = task->def,
                                     .calls = wanted,
                                     .count = calls,
                                     .timed = true,
                                     .seed = task->seed,
                                     .cache_bytes = task->cache_bytes};
    struct layout *layout = layout_open(bench->arena, &request, &err);
    if (!layout) {
        report->outcome = BENCH_ERROR;
        snprintf(report->message, sizeof report->message, "%s", err.text);
    }
    return layout;
}

static bool fail(struct bench_report *report, enum slice_outcome outcome)
{
    bool student = report->role == ROLE_STUDENT;
    if (outcome == SLICE_OK)
        return false;
    report->outcome = BENCH_WRONG;
    if (outcome == SLICE_BROKE)
        report->outcome = BENCH_BROKE;
    if (outcome == SLICE_MOVED)
        report->outcome = BENCH_MOVED;
    if (outcome == SLICE_BROKE && report->run.outcome == MACHINE_EXITED && report->run.signal == SIGKILL) {
        report->outcome = BENCH_KILLED;
        snprintf(report->message, sizeof report->message, "the %s's process was killed from outside",
                 role_name(report->role));
        return true;
    }
    if (!student) {
        char found[sizeof report->message - 64];
        snprintf(found, sizeof found, "%.1500s",
                 outcome == SLICE_WRONG ? report->message : "its process ended, or moved");
        snprintf(report->message, sizeof report->message, "the suite's own %s failed: %s",
                 role_name(report->role), found);
        report->outcome = BENCH_ERROR;
    }
    return true;
}

/* A few slices of one call each: seconds of a call when warm, and undisturbed as far as that can be had. */
static bool warm_up(struct bench *bench, const struct bench_task *task, struct layout *layout,
                    double *seconds, double *slowest_baseline, struct bench_report *report)
{
    for (enum role role = 0; role < ROLES; role++) {
        struct slice slice;
        if (!bench->machine[role])
            continue;
        report->role = role;
        if (fail(report, measure_handover(bench, role, layout, &report->run)))
            return false;
        seconds[role] = INFINITY;
        for (int i = 0; i < WARM_UPS; i++) {
            if (fail(report, take_slice(bench, task, role, layout, 1, &slice, report)))
                return false;
            double taken = (slice.ticks - bench->handover[role]) / bench->frequency;
            if (i > 0 || taken > LONG_CALL) /* a short one is cold at first */
                seconds[role] = fmin(seconds[role], taken);
            if (role == ROLE_BASELINE)
                *slowest_baseline = fmax(*slowest_baseline, taken);
            if (i > 0 && taken > LONG_CALL)
                break;
        }
    }
    if (bench->machine[ROLE_REFERENCE] &&
        bench->handover_wait[ROLE_STUDENT] > bench->handover_wait[ROLE_REFERENCE])
        bench->handover_wait[ROLE_STUDENT] = bench->handover_wait[ROLE_REFERENCE];
    return true;
}

static size_t choose_calls(const struct bench_task *task, const double *seconds)
{
    double slowest = 0;
    if (task->calls > 0)
        return task->calls;
    for (enum role role = 0; role < ROLES; role++)
        slowest = fmax(slowest, seconds[role]);
    double calls = SLICE_WANTED / fmax(slowest, 1e-9);
    return (size_t)fmin(fmax(calls, 1), (double)CALLS_CHOSEN);
}

/* A student so slow that the rounds would not fit into the budget need not be measured further. */
static bool hopeless(const struct bench_task *task, const double *seconds, double slowest_baseline,
                     size_t calls, struct bench_report *report)
{
    double round = 0, twin = seconds[ROLE_BASELINE];
    for (enum role role = 0; role < ROLES; role++)
        round += seconds[role] * (double)calls;
    if (twin <= 0 || (double)STATS_FIRST_LOOK * round < task->budget ||
        seconds[ROLE_STUDENT] < HOPELESS_RATIO * slowest_baseline ||
        twin < BOUND_LEAST_REFERENCE * seconds[ROLE_REFERENCE])
        return false;
    report->control_straddles = true;
    for (size_t i = 0; i < task->bounds_count; i++) {
        const struct bound_spec *bound = task->bounds[i];
        struct bound_outcome *outcome = &report->bounds[i];
        double share = bound->permille / 1000.0, slower = seconds[ROLE_STUDENT] / twin;
        *outcome = (struct bound_outcome){.decision = DECIDE_FAIL, .unit = "x", .low = NAN, .high = NAN};
        snprintf(outcome->reason, sizeof outcome->reason,
                 "%.0f times slower than the baseline: not measured further", slower);
        if (bound->kind == BOUND_SPEEDUP) {
            outcome->metric = "speedup";
            outcome->comparison = ">=";
            outcome->measured = 1 / slower;
            outcome->bound = twin / stats_allowed(twin, seconds[ROLE_REFERENCE], share);
        } else if (bound->kind == BOUND_NO_SLOWER) {
            outcome->metric = "slowdown";
            outcome->comparison = "<=";
            outcome->measured = slower;
            outcome->bound = bound_no_slower_allowed(twin, seconds[ROLE_REFERENCE], share) / twin;
        } else {
            outcome->skip = true;
        }
    }
    return true;
}

/* NAN where this slice did not count that event. */
static double counted(const struct bench_task *task, const struct slice *slice, uint64_t elements,
                      bool *found)
{
    for (size_t i = 0; i < task->bounds_count; i++) {
        if (task->bounds[i]->kind != BOUND_COUNTER)
            continue;
        for (enum pmu_event event = 0; event < PMU_EVENTS; event++) {
            if (slice->has_counters && slice->counters.present[event] &&
                strcmp(pmu_event_name(event), task->bounds[i]->counter) == 0) {
                *found = true;
                return (double)slice->counters.value[event] / (double)elements;
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
    size_t calls; /* of a slice */
    struct turns turns;
    struct rounds rounds;
    struct bench_report *report;
};

/* Values that the calls report are no times, and what disturbs them may lower them. A long slice is too long
 * to fall between two disturbances. There, each turn is a round. */
static bool single_turns(const struct bench_task *task, const double *seconds, size_t calls)
{
    bool is_long = false;
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
    if (!turns_open(&m->turns, single, m->task->def->waits_for_memory) || !rounds_allocate(&m->rounds))
        return out_of_memory(m->report);
    for (enum role role = 0; role < ROLES; role++)
        m->rounds.present[role] = m->bench->machine[role] != NULL;
    m->rounds.has_values = m->task->def->value != NULL;
    return true;
}

/* Every role an empty plan and a slice, in an order that rotates and turns round. */
static bool take_turn(struct measuring *m, size_t turn)
{
    const size_t order = turn + turn / STATS_FIRST_LOOK; /* another one for each turn of a round */

    for (size_t i = 0; i < ROLES; i++) {
        enum role role = (enum role)(((order % 2 ? ROLES - 1 - i : i) + order / 2) % ROLES);
        struct execution empty;
        struct slice slice = {0};
        if (!m->bench->machine[role])
            continue;
        m->report->role = role;
        layout_fill(m->layout, 0);
        enum slice_outcome outcome = execute(m->bench, role, &empty);
        m->report->run = empty.run;
        if (outcome == SLICE_OK)
            outcome = take_slice(m->bench, m->task, role, m->layout, m->calls, &slice, m->report);
        if (fail(m->report, outcome))
            return false;
        m->report->roles[role].slices++;
        m->report->roles[role].disturbed += slice.disturbed;
        if (!turns_add(&m->turns, turn, role, empty.ticks, &slice))
            return out_of_memory(m->report);
    }
    return true;
}

/* The round as it is with all its turns until now. */
static void note_round(struct measuring *m, size_t at)
{
    struct rounds *rounds = &m->rounds;
    for (enum role role = 0; role < ROLES; role++) {
        const struct slice *slice = turns_slice(&m->turns, at, role);
        struct bench_role *counts = &m->report->roles[role];
        rounds->time[role][at] = turns_ticks(&m->turns, at, role);
        rounds->value[role][at] = slice->value;
        if (slice->has_counters) {
            counts->has_counters = true;
            pmu_merge(&counts->counters, &slice->counters);
        }
    }
    rounds->chain[at] = clock_ticks_per_cycle(CHAIN_US);
    rounds->counter[at] =
        counted(m->task, turns_slice(&m->turns, at, ROLE_STUDENT), m->report->elements, &rounds->has_counter);
    if (at >= rounds->count)
        rounds->count = at + 1;
}

static void summarize(const struct rounds *rounds, struct bench_report *report)
{
    double times[ROUNDS_MAX];
    report->rounds = rounds->count;
    memcpy(times, rounds->chain, rounds->count * sizeof *times);
    report->ticks_per_cycle = stats_median(times, rounds->count);
    for (enum role role = 0; role < ROLES; role++) {
        size_t count = 0;
        for (size_t i = 0; rounds->present[role] && i < rounds->count; i++)
            if (isfinite(rounds->time[role][i]))
                times[count++] = rounds->time[role][i];
        if (count == 0)
            continue;
        report->roles[role].ticks = stats_median(times, count);
        report->roles[role].minimum = stats_quantile(times, count, 0);
    }
}

/* All bounds with the rounds as they are. True when all are decided. */
static bool look(struct measuring *m)
{
    struct bench_report *report = m->report;
    summarize(&m->rounds, report);
    report->control = bounds_control(&m->rounds, &report->control_straddles);
    bool done = report->control_straddles;
    for (size_t i = 0; i < m->task->bounds_count; i++) {
        struct bound_outcome now;
        bounds_decide(m->task->bounds[i], &m->rounds, &now);
        now.settled = report->control_straddles && (now.skip || now.decision != DECIDE_MORE);
        if (now.settled || !report->bounds[i].settled)
            report->bounds[i] = now;
        done = done && now.settled;
    }
    return done;
}

/* Or does it pay to go on though all is decided? */
static bool precise(const struct measuring *m, double spent)
{
    bool asked = false;
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

static double since(const struct bench *bench, uint64_t start)
{
    return (double)(clock_end() - start) / bench->frequency;
}

/* Turn after turn, until all is decided and known well enough or the time is over. */
static void take_turns(struct measuring *m, uint64_t start)
{
    double spent = since(m->bench, start);
    bool done = false;

    for (size_t turn = 0; !done && (turn < ROUNDS_MAX || !m->turns.single); turn++) {
        if (spent > (turn < STATS_FIRST_LOOK ? OVERDRAFT : 1) * m->task->budget)
            break;
        progress("measuring %s: slice %zu", m->task->def->name, turn + 1);
        if (!take_turn(m, turn))
            return;
        note_round(m, turns_round(&m->turns, turn));
        spent = since(m->bench, start);
        if (stats_checkpoint(turn + 1))
            done = look(m) && precise(m, spent);
    }
    if (m->rounds.count == 0) {
        m->report->outcome = BENCH_ERROR;
        snprintf(m->report->message, sizeof m->report->message, "no time was left to measure `%s`",
                 m->task->def->name);
    } else if (!done) {
        look(m);
    }
}

void bench_measure(struct bench *bench, const struct bench_task *task, struct bench_report *report,
                   struct layout **layout)
{
    struct measuring m = {.bench = bench, .task = task, .report = report};
    double seconds[ROLES] = {0}, slowest_baseline = 0;
    const uint64_t start = clock_begin();

    *report = (struct bench_report){.outcome = BENCH_MEASURED};
    *layout = m.layout = open_layout(bench, task, task->calls ? task->calls : CALLS_CHOSEN, report);
    if (m.layout && warm_up(bench, task, m.layout, seconds, &slowest_baseline, report)) {
        m.calls = choose_calls(task, seconds);
        if (m.calls > layout_count(m.layout))
            m.calls = layout_count(m.layout);
        report->elements = m.calls * task->elements;
        if (!hopeless(task, seconds, slowest_baseline, m.calls, report) &&
            begin(&m, single_turns(task, seconds, m.calls)))
            take_turns(&m, start);
    }
    rounds_free(&m.rounds);
    turns_close(&m.turns);
}
