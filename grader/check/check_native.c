/* The native bench of a check: real hardware, measured in rounds. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/check/bench.h"
#include "grader/check/check_internal.h"
#include "grader/machine/cpu.h"
#include "harness/clock/clock.h"
#include "harness/base/progress.h"
#include "harness/base/seed.h"

/* Seconds: what a whole check aims to stay within, and what its timing gets at least of that; what it takes
 * where a bound is undecided; and at most, where a student's code is slow. */
#define CHECK_BUDGET 4.3
#define LEAST_TIMING 1.5
#define CHECK_LONG   9.5
#define LEAST_GROUP  0.4  /* for the bounds of a case, */
#define LEAST_MORE   0.05 /* and to go on with them */
#define CHECK_MOST   20.0

enum { ATTEMPTS = 2 };

static bool open_native(struct checking *checking, struct error *err)
{
    (void)err;
    checking->cache_bytes = checking->context->cache_bytes;
    return true;
}

static const char *target(const struct checking *checking)
{
    (void)checking;
    return cpu_name();
}

static bool asks(const struct checking *checking, const struct bound_spec *bound)
{
    (void)checking;
    return bound_is_native(bound);
}

/* ---- bounds ---- */

/* Cycles of a slice: as counted, or those by the clock; NAN where this machine's evidence gives none. */
static double cycles_of(const struct checking *checking, const struct bench_role *role, double by_clock)
{
    if (role->counters.present[PMU_CYCLES])
        return (double)role->counters.value[PMU_CYCLES];
    return checking->context->tier != TIER_CLOCK ? by_clock : NAN;
}

/* Of the student's slice, by the clock and, where there are counters, by them: one count may have missed
 * some, as under a hypervisor that shares counters. NAN: nothing tells. */
static double most_cycles(const struct checking *checking, const struct bench_report *report)
{
    const double by_clock = checking->context->tier != TIER_CLOCK ? report->most_cycles : NAN;
    return fmax(cycles_of(checking, &report->roles[ROLE_STUDENT], by_clock), by_clock);
}

/* Less than the exercise's floor, or no time at all? */
static bool impossible(struct checking *checking, const struct bench_task *task,
                       const struct bench_report *report)
{
    const struct bench_role *student = &report->roles[ROLE_STUDENT];
    const bool each = task->def->loads_each > 0;
    char why[256];
    uint32_t floor = 0;
    for (size_t i = 0; i < task->bounds_count; i++)
        if (task->bounds[i]->floor > floor)
            floor = task->bounds[i]->floor;
    if (student->slices == 0)
        return false;
    if (report->takes_no_time)
        snprintf(
            why, sizeof why,
            "a slice of your code's takes no longer than a plan without a call (%.1f us), and one of the "
            "reference's %.1f us longer: %s",
            report->handover / clock_frequency() * 1e6,
            report->roles[ROLE_REFERENCE].ticks / clock_frequency() * 1e6,
            each ? "no loop that loads each element by itself, as the contract has it, is as fast"
                 : "whatever made it so fast, it was not the work");
    else if (!bound_impossible(most_cycles(checking, report), report->elements, floor, each, why, sizeof why))
        return false;
    struct check *check =
        result_add_check(checking->result, CHECK_MECHANISM, "possible", task->def->name, VERDICT_REJECTED, 0,
                         "%s: %s", each ? "not one by one" : "impossible", why);
    check_set_next(check,
                   each ? "Load each element by itself; what is asked is where the loop lies."
                        : "Let every call do all that is asked for, and look at its instructions: a compiler "
                          "may have replaced a loop by its result.");
    return true;
}

static void report_measurements(struct checking *checking, const struct bench_task *task,
                                const struct bench_report *report)
{
    double frequency = clock_frequency();
    for (enum role role = 0; role < ROLES; role++) {
        const struct bench_role *from = &report->roles[role];
        if (from->slices == 0)
            continue;
        struct measurement *to = result_add_measurement(checking->result, task->def->name, role_name(role));
        to->elements = report->elements;
        to->ticks = from->ticks;
        to->minimum_ticks = from->minimum;
        to->nanoseconds = from->ticks / frequency * 1e9;
        to->cycles = cycles_of(checking, from, from->ticks / report->ticks_per_cycle);
        to->slices = from->slices;
        to->disturbed = from->disturbed;
        to->counters = from->counters;
    }
}

/* Can they be decided from the same rounds? Two counters take two. */
static bool same_task(const struct bound_spec *a, const struct bound_spec *b)
{
    if (a->kind == BOUND_COUNTER && b->kind == BOUND_COUNTER && strcmp(a->counter, b->counter) != 0)
        return false;
    return strcmp(a->case_name, b->case_name) == 0 && a->elements == b->elements && a->calls == b->calls;
}

/* The bounds that one task decides. */
struct group {
    const struct bound_spec *bounds[CHECK_GROUP_MAX];
    struct bench_task task;
    struct bench_report report;
    struct bench_other *others;
    struct measuring *measuring; /* NULL: out of memory */
    uint64_t seed;
    double share; /* seconds: its part of the time, */
    double spent; /* and what it had */
    unsigned weight;
    unsigned killed; /* so many times, */
    bool trusted;    /* one of the suite's own */
    bool open;       /* it may go on */
};

/* All of a check. */
struct timing {
    struct bench *bench;
    struct group *groups;
    size_t count;
    /* seconds, by check_now(): for what is decided, for what is not, and for what a student may take */
    double end, last, most;
    unsigned weight_left; /* of the bounds that are still to be measured */
};

/* Its part of the time: what gives more points gets more. */
static unsigned weight(const struct bound_spec *bound)
{
    return bound->points > 0 ? bound->points : 1;
}

/* Measured for so many seconds. A process that was killed proves nothing once: begun again, with other
 * inputs, since the first ones may be known by now. A second time it is the student's doing, unless one of
 * the suite's own was killed, too. */
static void measure(struct bench *bench, struct group *group, double seconds)
{
    struct bench_report *report = &group->report;
    for (group->task.budget = group->spent + seconds;; group->task.budget = fmax(seconds, group->share)) {
        if (!group->measuring) {
            group->task.seed = seed_derive(group->seed, group->killed);
            group->measuring = bench_measuring_open(bench, &group->task, report);
        }
        if (!group->measuring) {
            report->outcome = BENCH_ERROR;
            snprintf(report->message, sizeof report->message, "out of memory");
            return;
        }
        const double begin = check_now();
        group->open = bench_measure(group->measuring);
        group->spent += check_now() - begin;
        if (report->outcome != BENCH_KILLED)
            return;
        group->trusted =
            group->trusted || report->role != ROLE_STUDENT || report->run.outcome == MACHINE_NOT_READY;
        if (++group->killed == ATTEMPTS)
            break;
        bench_measuring_close(group->measuring);
        group->measuring = NULL;
        group->spent = 0;
    }
    if (!group->trusted)
        report->outcome = BENCH_BROKE;
}

/* Whether its parts ran at the same time; the reason of those that are not judged. */
static void report_overlap(struct checking *checking, const struct case_def *def,
                           const struct bench_report *report)
{
    const struct placement *placement = checking->context->placement;
    char again[80] = "";
    if (def->parts < 2 || report->overlaps == 0)
        return;
    if (report->apart > 0)
        snprintf(again, sizeof again, "; %zu slice%s in which they did not, taken again", report->apart,
                 report->apart == 1 ? "" : "s");
    struct check *check =
        result_add_check(checking->result, CHECK_MECHANISM, "overlap", def->name, VERDICT_PASS, 0,
                         "the two threads ran at the same time for %.0f %% of it, on CPUs %d and %d%s",
                         100 * report->overlap, placement->cpu, placement->second, again);
    check->has_measured = true;
    check->metric = "overlap";
    check->unit = "%";
    check->comparison = ">=";
    check->measured = check->low = check->high = 100 * report->overlap;
    check->bound = 100 * BENCH_OVERLAP_LEAST;
    if (report->apart > 0)
        result_set(&checking->result->remarks, "%s: %s.", def->name, check->message);
}

static void report_apart(struct checking *checking, const struct group *group)
{
    for (size_t i = 0; i < group->task.bounds_count; i++) {
        struct bound_outcome outcome = {.skip = true};
        snprintf(outcome.reason, sizeof outcome.reason, "%.250s", group->report.message);
        check_add_bound(checking, group->bounds[i], VERDICT_SKIP, &outcome);
    }
}

static void report_broken(struct checking *checking, const char *name, const struct bench_report *report,
                          const struct layout *layout)
{
    struct fault_text text;
    fault_describe(&report->run, layout, report->program, checking->isa, 4000, &text);
    if (report->rehearsed &&
        report->rehearsed->hidden) { /* an address of the code's choice would tell inputs */
        snprintf(text.message, sizeof text.message,
                 "a call like the timed ones did not come to its end; this case is hidden");
        text.next[0] = '\0';
    }
    struct check *check = result_add_check(checking->result, CHECK_CORRECTNESS, "right-when-timed", name,
                                           report->run.signal == SIGSYS ? VERDICT_REJECTED : VERDICT_FAIL, 0,
                                           "%s", text.message);
    check_set_next(check, text.next);
}

/* Nothing is wrong with it, as far as it is measured. */
static bool is_fine(const struct group *group)
{
    return group->report.outcome == BENCH_MEASURED || group->report.outcome == BENCH_APART;
}

/* What came of it. False when measuring showed the student's code to be wrong. */
static bool report_group(struct checking *checking, struct group *group)
{
    struct bench_report *report = &group->report;
    const struct bench_task *task = &group->task;
    const char *name = report->rehearsed ? report->rehearsed->def->name : task->def->name;
    switch (report->outcome) {
    case BENCH_BROKE:
        report_broken(checking, name, report, bench_measuring_layout(group->measuring));
        return false;
    case BENCH_WRONG:
        result_add_check(checking->result, CHECK_CORRECTNESS, "right-when-timed", name, VERDICT_FAIL, 0, "%s",
                         report->message);
        return false;
    case BENCH_ERROR:
    case BENCH_KILLED:
        result_add_check(checking->result, CHECK_BOUND, group->bounds[0]->name, task->def->name,
                         VERDICT_ERROR, group->bounds[0]->points, "%s", report->message);
        return false;
    case BENCH_APART:
        report_apart(checking, group);
        return true;
    case BENCH_MEASURED:
        break;
    }
    const bool is_possible = !impossible(checking, task, report);
    for (size_t i = 0; is_possible && i < task->bounds_count; i++)
        check_report_timed(checking, group->bounds[i], report, &report->bounds[i]);
    if (is_possible)
        report_overlap(checking, task->def, report);
    report_measurements(checking, task, report);
    return is_possible;
}

/* The bounds of one case, measured together for their part of the time. False when there is no point in the
 * others. */
static bool begin_group(struct checking *checking, const struct bound_spec *const *bounds, size_t count,
                        unsigned first, void *state)
{
    struct timing *timing = state;
    struct group *group = &timing->groups[timing->count++];

    for (size_t i = 0; i < count; i++) {
        group->bounds[i] = bounds[i];
        group->weight += weight(bounds[i]);
    }
    group->seed = inputs_of_bounds(checking->inputs, first);
    group->task = (struct bench_task){.def = case_find(checking->cases, bounds[0]->case_name),
                                      .elements = bounds[0]->elements,
                                      .calls = bounds[0]->calls,
                                      .student = checking->student,
                                      .cache_bytes = checking->cache_bytes,
                                      .bounds = group->bounds,
                                      .bounds_count = count,
                                      .only_decide = true, /* at first: see go_on() */
                                      .quick = checking->context->patience <= 0,
                                      .now = check_now,
                                      .end = timing->most};
    group->others = check_others(checking, bounds[0], &group->task.others_count);
    group->task.others = group->others;
    if (!group->others)
        group->task.others_count = 0;
    group->share = (timing->last - check_now()) * group->weight / timing->weight_left;
    if (checking->context->patience <= 0)
        group->share = fmax(group->share, LEAST_GROUP);
    timing->weight_left -= group->weight;
    measure(timing->bench, group, group->share);
    return is_fine(group);
}

static bool goes_on(const struct group *group, bool undecided)
{
    return group->open && bench_settled(group->measuring) != undecided;
}

/* All of these share the time until `end`, as long as it lasts. False when there is no point in more. */
static bool share_out(struct timing *timing, bool undecided, double end)
{
    for (bool more = true; more;) {
        unsigned weight = 0;
        for (size_t i = 0; i < timing->count; i++)
            weight += goes_on(&timing->groups[i], undecided) ? timing->groups[i].weight : 0;
        more = false;
        for (size_t i = 0; i < timing->count; i++) {
            struct group *group = &timing->groups[i];
            if (!goes_on(group, undecided))
                continue;
            const double share = (end - check_now()) * group->weight / weight;
            weight -= group->weight;
            if (share < LEAST_MORE) /* those behind it may have it */
                continue;
            more = true;
            group->task.only_decide = undecided;
            measure(timing->bench, group, share);
            if (!is_fine(group))
                return false;
        }
    }
    return true;
}

/* What is undecided goes on in the time that the others left: a neighbour's burst may be longer than one
 * case's part of the time. What is left then is for more digits. */
static void go_on(struct timing *timing)
{
    for (size_t i = 0; i < timing->count; i++)
        if (!is_fine(&timing->groups[i]))
            return;
    if (share_out(timing, true, timing->last))
        share_out(timing, false, timing->end);
}

static void measure_groups(struct checking *checking, struct timing *timing)
{
    timing->groups = calloc(checking->exercise->bounds_count, sizeof *timing->groups);
    if (timing->groups && timing->bench)
        check_groups(checking, same_task, begin_group, timing);
    else
        result_add_check(checking->result, CHECK_BOUND, "timing", NULL, VERDICT_ERROR, 0, "out of memory");
    go_on(timing);
    bool good = true;
    for (size_t i = 0; i < timing->count; i++) {
        struct group *group = &timing->groups[i];
        if (good && group->measuring)
            bench_measure_end(group->measuring);
        good = good && report_group(checking, group);
        bench_measuring_close(group->measuring);
        free(group->others);
    }
    free(timing->groups);
}

/* Each epoch has programs linked for another place. False: out of memory. */
static bool place_programs(const struct checking *checking, struct bench_config *config)
{
    static const enum variant variants[] = {[ROLE_BASELINE] = VARIANT_BASELINE,
                                            [ROLE_STUDENT] = VARIANT_STUDENT,
                                            [ROLE_REFERENCE] = VARIANT_REFERENCE};
    const enum role twin = checking->exercise->baseline ? ROLE_BASELINE : ROLE_REFERENCE;
    bool good = true;
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
        char **of = config->program[epoch];
        for (enum role role = 0; role < ROLE_CONTROL; role++) {
            const char *program = checking->program[variants[role]];
            of[role] = program ? build_place(program, epoch) : NULL;
            good = good && (!program || of[role]);
        }
        of[ROLE_CONTROL] = of[twin];
    }
    return good;
}

static bool has_parts(const struct checking *checking)
{
    for (size_t i = 0; i < checking->cases->count; i++)
        if (checking->cases->defs[i].parts > 1)
            return true;
    return false;
}

static void bounds(struct checking *checking)
{
    const struct exercise *exercise = checking->exercise;
    const struct check_context *context = checking->context;
    struct timing timing = {0};

    for (unsigned i = 0; i < exercise->bounds_count; i++)
        if (asks(checking, &exercise->bounds[i]))
            timing.weight_left += weight(&exercise->bounds[i]);
    if (timing.weight_left == 0)
        return;
    struct bench_config config = {
        .tier = context->tier, .pmu = context->pmu, .turns = context->turns, .lent = exercise->lent};
    const bool placed = place_programs(checking, &config);
    const double before_waiting = check_now(); /* for a CPU that others hold: no time of this check */
    if (has_parts(checking))
        placement_take_two(context->placement, 60);
    else
        placement_take(context->placement, 60);
    const double begun = checking->start + check_now() - before_waiting;
    config.cpu = context->placement->cpu;
    config.second = context->placement->second;
    clock_calibrate(20); /* the warm-up: it goes on until the clock has settled */
    timing.bench = placed ? bench_open(&config, context->arena) : NULL;
    timing.most = begun + CHECK_MOST + context->patience;
    timing.end = context->patience > 0 ? check_now() + context->patience
                                       : fmax(begun + CHECK_BUDGET, check_now() + LEAST_TIMING);
    timing.last = context->patience > 0 ? timing.end : fmax(begun + CHECK_LONG, timing.end);
    measure_groups(checking, &timing);
    bench_close(timing.bench);
    placement_release(context->placement);
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
        for (enum role role = 0; role < ROLE_CONTROL; role++) /* the control has another's */
            free(config.program[epoch][role]);
}

const struct check_bench check_native = {
    .name = "native",
    .native = true,
    .places = EPOCHS,
    .isa = isa_native,
    .open = open_native,
    .target = target,
    .asks = asks,
    .correctness = check_native_correctness,
    .bounds = bounds,
};
