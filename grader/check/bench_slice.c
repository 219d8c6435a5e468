/* The processes of native timing, and one slice. */
#include "grader/check/bench.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/check/bench_internal.h"
#include "harness/arena/arena.h"
#include "harness/clock/clock.h"

enum {
    SLICE_LIMIT_MS = 4000,
    SLICE_LEAST_MS = 100, /* however little time is left */
    VALUES_MOST = 256,
};
/* A slice is disturbed when its process waited for the CPU longer than this part of it, and than this, over
 * what a hand-over waits anyway. */
#define WAITED_SHARE 0.005
#define WAITED_NS    10000
/* So many times, at most, is a slice taken again whose parts did not run at the same time. */
enum { RETAKES = 40, RETAKES_OF_STUDENT = 8 };
/* seconds that a student's slice took by itself: whose parts are apart then, is slow for it */
#define APART_BY_ITSELF 0.01
/* And so many, in a whole check, are made again with the same contents where an answer that hangs on a clock
 * was wrong: a core may be slow for a moment. A guess does not get better by it. */
enum { AGAIN = 64, AGAIN_OF_STUDENT = 8 };

_Static_assert((int)EPOCHS <= (int)ARENA_PLACES, "each epoch has its pages");

struct bench *bench_open(const struct bench_config *config, struct arena *arena)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return NULL;
    bench->arena = arena;
    bench->config = *config;
    bench->frequency = clock_frequency();
    /* who sleeps does so in its own time */
    bench->by_account = !config->lent && schedule_is_fine();
    for (enum role role = 0; role < ROLES; role++)
        bench->again[role] = role == ROLE_STUDENT ? AGAIN_OF_STUDENT : AGAIN;
    return bench;
}

void bench_leave(struct bench *bench)
{
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
        for (enum role role = 0; role < ROLES; role++) {
            machine_stop(bench->machines[epoch][role]);
            bench->machines[epoch][role] = NULL;
        }
    bench->leaving = NULL;
    bench->entered = false;
}

void bench_close(struct bench *bench)
{
    if (!bench)
        return;
    bench_leave(bench);
    free(bench);
}

bool bench_has(const struct bench *bench, enum role role)
{
    return bench->config.program[0][role] != NULL;
}

enum role bench_twin(const struct bench *bench)
{
    return bench_has(bench, ROLE_BASELINE) ? ROLE_BASELINE : ROLE_REFERENCE;
}

bool bench_enter(struct bench *bench, unsigned epoch, struct bench_report *report)
{
    struct error err;
    if (bench->entered && bench->epoch == epoch)
        return true;
    bool good = arena_move(bench->arena, epoch, &err);
    struct machine **machines = bench->machines[epoch];
    for (enum role role = 0; good && role < ROLES; role++) {
        const struct machine_config config = {.program = bench->config.program[epoch][role],
                                              .cpu = bench->config.cpu,
                                              .second = bench->config.second,
                                              .at_once = bench->config.second >= 0,
                                              .drop_privileges = true,
                                              .lent = bench->config.lent};
        if (bench_has(bench, role) && !machines[role])
            good = (machines[role] = machine_start(&config, bench->arena, &err)) != NULL;
    }
    bench->entered = good;
    bench->epoch = epoch;
    if (good) {
        jitter_learn(&bench->jitter);
    } else {
        report->outcome = BENCH_ERROR;
        snprintf(report->message, sizeof report->message, "%s", err.text);
    }
    return good;
}

static struct machine *machine_of(const struct bench *bench, enum role role)
{
    return bench->machines[bench->epoch][role];
}

/* One execution of the plan, timed around, and how long its processes waited for the CPU meanwhile. (How long
 * the grader did says nothing: it is mostly ready and preempted by the process that it has just woken.) */
struct execution {
    double ticks; /* by the clock */
    bool known;
    uint64_t waited_ns, ran_ns, first_ns; /* first_ns: what the first part's process ran */
    struct pmu_count counters;            /* what there is of them */
};

static double *shortest_of(struct bench *bench, size_t calls, enum role role)
{
    return &bench->shortest.ticks[calls > 0 ? role : ROLES];
}

/* Begin where nothing interrupts it that comes again and again, by what its shortest took. */
static void await_quiet(struct bench *bench, size_t calls, enum role role)
{
    if (calls > 0 && bench->shortest.calls != calls) {
        memset(bench->shortest.ticks, 0, ROLES * sizeof *bench->shortest.ticks);
        bench->shortest.calls = calls;
    }
    const double ticks = *shortest_of(bench, calls, role);
    jitter_avoid(&bench->jitter, (int64_t)(ticks / bench->frequency * 1e9));
}

static void note_shortest(struct bench *bench, size_t calls, enum role role, double ticks)
{
    double *shortest = shortest_of(bench, calls, role);
    if (*shortest == 0 || ticks < *shortest)
        *shortest = ticks;
}

/* The plan of `calls` calls that is in the arena. Afterwards the process executes nothing any more: its
 * results can be verified. */
static enum slice_outcome execute(struct bench *bench, const struct layout *layout,
                                  const struct case_def *caches, size_t calls, enum role role,
                                  unsigned limit_ms, struct execution *execution, struct bench_report *report)
{
    struct machine *machine = machine_of(bench, role);
    struct schedule before, after, first_before, first;
    struct error ignored;

    *execution = (struct execution){0};
    report->role = role;
    report->program = bench->config.program[bench->epoch][role];
    report->run = (struct machine_run){.outcome = MACHINE_NOT_READY};
    if (bench->leaving)
        machine_end(bench->leaving); /* early: the kernel has work left then, as to free a filter's code */
    bench->leaving = NULL;
    if (!machine_prepare(machine))
        return SLICE_NOT_READY;
    struct pmu *pmu = bench->config.tier == TIER_PMU
                          ? pmu_open(bench->config.pmu, machine_pid(machine), &bench->turn, &ignored)
                          : NULL;
    if (calls > 0)
        layout_set_caches(layout, caches, calls);
    await_quiet(bench, calls, role);
    bool known = machine_schedule(machine, &before) && machine_schedule_of(machine, 0, &first_before);
    machine_gather(machine);
    if (pmu)
        pmu_start(pmu);
    uint64_t begin = clock_begin();
    machine_execute(machine, limit_ms, &report->run);
    execution->ticks = (double)(clock_end() - begin);
    note_shortest(bench, calls, role, execution->ticks);
    if (pmu) {
        pmu_stop(pmu);
        pmu_read(pmu, &execution->counters);
        pmu_close(pmu);
    }
    if (known && report->run.outcome == MACHINE_DONE && machine_schedule(machine, &after) &&
        machine_schedule_of(machine, 0, &first)) {
        execution->known = true;
        execution->first_ns = first.ran_ns - first_before.ran_ns;
        execution->waited_ns = after.waited_ns - before.waited_ns;
        execution->ran_ns = after.ran_ns - before.ran_ns;
    }
    if (report->run.outcome != MACHINE_DONE)
        return SLICE_BROKE;
    if (bench->by_account && !execution->known)
        return SLICE_NOT_READY;
    machine_dismiss(machine); /* while its results are verified, and the next contents drawn */
    bench->leaving = machine;
    return SLICE_OK;
}

static void end_broken(struct bench *bench, enum role role, enum slice_outcome outcome)
{
    if (outcome == SLICE_BROKE)
        machine_end(machine_of(bench, role));
}

/* What it takes to wake a process and to hear that it has stopped differs more than its own part of that:
 * what the kernel says that it has had of the CPU has half of the noise, and none of what others ran. Of two
 * parts the first comes last to each meeting but those where it runs on, waiting for the second. */
static double time_of(const struct bench *bench, const struct execution *execution)
{
    return bench->by_account ? (double)execution->first_ns / 1e9 * bench->frequency : execution->ticks;
}

/* By the kernel's account of two processes: what they ran together beyond the time by the clock, they ran at
 * the same time. In the rest of it at most one did. */
static double apart_ns(const struct bench *bench, const struct execution *execution)
{
    return 2e9 * execution->ticks / bench->frequency - (double)execution->ran_ns;
}

enum slice_outcome bench_take_empty(struct bench *bench, struct layout *layout, struct handover *handover,
                                    struct bench_report *report)
{
    struct execution execution;
    layout_fill(layout, 0);
    enum slice_outcome outcome =
        execute(bench, layout, NULL, 0, ROLE_CONTROL, SLICE_LIMIT_MS, &execution, report);
    end_broken(bench, ROLE_CONTROL, outcome);
    *handover = (struct handover){.ticks = time_of(bench, &execution),
                                  .waited_ns = (double)execution.waited_ns,
                                  .apart_ns = apart_ns(bench, &execution)};
    return outcome;
}

/* Student code may not take longer than what is left of the check. */
static unsigned limit_of(const struct bench_task *task, enum role role)
{
    double left_ms = 1000 * (task->end - task->now());
    if (role != ROLE_STUDENT || left_ms > SLICE_LIMIT_MS)
        return SLICE_LIMIT_MS;
    return left_ms > SLICE_LEAST_MS ? (unsigned)left_ms : SLICE_LEAST_MS;
}

/* What is wrong with it, and of which call. */
static void tell_wrong(const struct layout *layout, size_t call, const char *found,
                       struct bench_report *report)
{
    const struct bench_other *other = report->rehearsed;
    char n[LAYOUT_N];
    layout_n(layout, call, " with ", "", n);
    if (!other)
        snprintf(report->message, sizeof report->message, "wrong result in a timed call%s: %s", n, found);
    else if (other->hidden)
        snprintf(report->message, sizeof report->message,
                 "wrong result in a call%s, like the timed ones and between them; this case is hidden", n);
    else
        snprintf(report->message, sizeof report->message,
                 "wrong result in a call%s of `%s`, like the timed ones and between them: %s", n,
                 other->def->name, found);
}

static bool verify(const struct bench_task *task, struct layout *layout, size_t calls, struct slice *slice,
                   struct bench_report *report)
{
    double values[VALUES_MOST];
    struct finding why;
    for (size_t i = 0; i < calls; i++) {
        if (!layout_verify(layout, i, &why)) {
            tell_wrong(layout, i, why.text, report);
            return false;
        }
        if (task->def->value && !report->rehearsed && i < VALUES_MOST)
            values[i] = layout_value(layout, i);
    }
    if (task->def->value && !report->rehearsed)
        slice->value = stats_median(values, calls < VALUES_MOST ? calls : VALUES_MOST);
    return true;
}

/* For what share of it did both processes run? What starting and stopping them takes is no matter of theirs.
 */
static double overlap_of(const struct bench *bench, const struct execution *execution)
{
    const double clock = execution->ticks / bench->frequency * 1e9,
                 apart = fmax(apart_ns(bench, execution) - bench->handover.apart_ns, 0);
    return fmax(1 - apart / clock, 0);
}

/* What it took by itself, whoever else had the CPU. Of two processes one may be kept from its end by the
 * other, which waits for a CPU: only what both ran at the same time is theirs for sure. */
static double own_of(const struct bench *bench, const struct bench_task *task,
                     const struct execution *execution)
{
    const double clock = execution->ticks / bench->frequency, ran = (double)execution->ran_ns / 1e9;
    if (!execution->known)
        return NAN;
    if (task->def->parts > 1) /* and while none waited for a CPU: one part may do it all */
        return fmax(fmax(ran - clock, clock - (double)execution->waited_ns / 1e9), 0);
    return bench->config.lent ? fmax(clock - (double)execution->waited_ns / 1e9, ran) : ran;
}

static enum slice_outcome take_once(struct bench *bench, const struct bench_task *task, enum role role,
                                    struct layout *layout, size_t calls, bool again, struct slice *slice,
                                    struct bench_report *report)
{
    struct execution execution;
    const uint64_t begin = schedule_own_ns();

    *slice = (struct slice){0};
    if (again)
        layout_fill_again(layout, calls);
    else
        layout_fill(layout, calls);
    enum slice_outcome outcome =
        execute(bench, layout, task->def, calls, role, limit_of(task, role), &execution, report);
    if (outcome == SLICE_OK) {
        double waited = (double)execution.waited_ns - bench->handover.waited_ns;
        slice->disturbed =
            waited > WAITED_NS && waited > WAITED_SHARE * 1e9 * execution.ticks / bench->frequency;
        slice->ticks = time_of(bench, &execution);
        slice->overlap = task->def->parts > 1 ? overlap_of(bench, &execution) : NAN;
        slice->own = own_of(bench, task, &execution);
        slice->counters = execution.counters;
        outcome = verify(task, layout, calls, slice, report) ? SLICE_OK : SLICE_WRONG;
    }
    end_broken(bench, role, outcome);
    slice->grader = (double)(schedule_own_ns() - begin) / 1e9;
    return outcome;
}

/* With the same contents again, in a new process, where a clock may have been the reason. */
static enum slice_outcome take_right(struct bench *bench, const struct bench_task *task, enum role role,
                                     struct layout *layout, size_t calls, struct slice *slice,
                                     struct bench_report *report)
{
    const struct case_def *def = report->rehearsed ? report->rehearsed->def : task->def;
    enum slice_outcome outcome = take_once(bench, task, role, layout, calls, false, slice, report);
    while (outcome == SLICE_WRONG && def->reads_clock && bench->again[role] > 0) {
        bench->again[role]--;
        outcome = take_once(bench, task, role, layout, calls, true, slice, report);
    }
    return outcome;
}

enum slice_outcome bench_rehearse(struct bench *bench, const struct bench_task *task,
                                  const struct bench_other *other, struct layout *layout,
                                  struct bench_report *report)
{
    struct slice slice; /* whose time is nobody's business */
    report->rehearsed = other;
    return take_right(bench, task, ROLE_STUDENT, layout, layout_count(layout), &slice, report);
}

enum slice_outcome bench_take_slice(struct bench *bench, const struct bench_task *task, enum role role,
                                    struct layout *layout, size_t calls, struct slice *slice,
                                    struct bench_report *report)
{
    /* a student's parts may take turns by themselves: that is their own time */
    const unsigned most = role == ROLE_STUDENT ? RETAKES_OF_STUDENT : RETAKES;
    for (unsigned attempt = 1;; attempt++) {
        const enum slice_outcome outcome = take_right(bench, task, role, layout, calls, slice, report);
        if (outcome != SLICE_OK || isnan(slice->overlap))
            return outcome;
        const bool enough =
            slice->overlap >= BENCH_OVERLAP_LEAST || (role == ROLE_STUDENT && slice->own > APART_BY_ITSELF);
        if (enough || (role == ROLE_STUDENT && (attempt == most || task->now() > bench->retake_until))) {
            if (role == ROLE_STUDENT) /* what it takes is not taken from the others' time for that */
                bench->retake_until += fmax(slice->own, 0);
            report->overlap += (slice->overlap - report->overlap) / (double)++report->overlaps;
            return outcome;
        }
        report->apart++;
        if (attempt == most || task->now() > bench->retake_until)
            break;
    }
    snprintf(
        report->message, sizeof report->message,
        "not judged here: the two threads were not on their CPUs (%d and %d) at the same time, %zu slices "
        "had to be taken again",
        bench->config.cpu, bench->config.second, report->apart);
    return SLICE_APART;
}

bool bench_fails(struct bench_report *report, enum slice_outcome outcome)
{
    char found[sizeof report->message - 64];
    if (outcome == SLICE_OK)
        return false;
    if (outcome == SLICE_NOT_READY ||
        (outcome == SLICE_BROKE && report->run.outcome == MACHINE_EXITED && report->run.signal == SIGKILL)) {
        report->outcome = BENCH_KILLED;
        snprintf(report->message, sizeof report->message,
                 "the %s's process was killed from outside, twice: is there enough memory?",
                 role_name(report->role));
        return true;
    }
    if (outcome == SLICE_APART) {
        report->outcome = BENCH_APART;
        return true;
    }
    report->outcome = outcome == SLICE_WRONG ? BENCH_WRONG : BENCH_BROKE;
    if (report->role == ROLE_STUDENT)
        return true;
    snprintf(found, sizeof found, "%.1500s", outcome == SLICE_WRONG ? report->message : "its process ended");
    snprintf(report->message, sizeof report->message, "the suite's own %s failed: %s",
             role_name(report->role), found);
    report->outcome = BENCH_ERROR;
    return true;
}
