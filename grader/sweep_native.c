/* A sweep on this machine: all values and the baseline take turns, as in a check (bench.c), but nothing is
 * judged: medians of the ratios to the baseline of the same round, and how sure they are. */
#include "grader/sweep_internal.h"

#include <math.h>
#include <time.h>
#include "grader/layout.h"
#include "harness/clock/clock.h"
#include "harness/placement.h"
#include "harness/progress.h"
#include "harness/runner/machine.h"
#include "harness/stats/stats.h"

enum {
    RUNNERS = SWEEP_VALUES + 1, /* the baseline is the last one */
    ROUNDS_LEAST = 6,
    ROUNDS_MOST = 24,
    HANDOVERS = 15,
    CALLS = 4, /* where the exercise leaves them to the bench */
    CALLS_MOST = 64,
    LIMIT_MS = 4000,
    WAIT_SECONDS = 60,
};
#define BUDGET   8.0  /* seconds */
#define DOUBT    0.05 /* of an interval */
#define UNSTEADY 1.1

struct runners {
    struct sweep *sweep;
    struct arena *arena;
    struct layout *layout;
    unsigned count;
    struct machine *machine[RUNNERS];
    double handover[RUNNERS]; /* ticks */
    double ticks[RUNNERS][ROUNDS_MOST];
    unsigned rounds;
    struct error *err;
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static const char *program_of(const struct sweep *sweep, unsigned runner)
{
    return runner < sweep->count ? sweep->points[runner].program : sweep->baseline_program;
}

/* One execution of the plan as it is laid out. */
static bool execute(struct runners *runners, unsigned i, double *ticks)
{
    struct machine_run run;
    uint64_t begin = clock_begin();
    machine_execute(runners->machine[i], LIMIT_MS, &run);
    *ticks = (double)(clock_end() - begin);
    return run.outcome == MACHINE_DONE ||
           error_set(runners->err, "the runner of %s did not come to its end", program_of(runners->sweep, i));
}

static bool measure_handover(struct runners *runners, unsigned i)
{
    double ticks[HANDOVERS], first;
    layout_fill(runners->layout, 0);
    if (!execute(runners, i, &first)) /* this one maps the regions */
        return false;
    for (int k = 0; k < HANDOVERS; k++)
        if (!execute(runners, i, &ticks[k]))
            return false;
    runners->handover[i] = stats_median(ticks, HANDOVERS);
    return true;
}

static bool take_slice(struct runners *runners, unsigned i, double *ticks)
{
    struct finding why;
    size_t calls = layout_count(runners->layout);
    layout_fill(runners->layout, calls);
    if (!execute(runners, i, ticks))
        return false;
    *ticks -= runners->handover[i];
    for (size_t call = 0; call < calls; call++)
        if (!layout_verify(runners->layout, call, &why))
            return error_set(runners->err, "the suite's own code is wrong: %s", why.text);
    return true;
}

static bool take_round(struct runners *runners, unsigned round, double ticks[RUNNERS])
{
    for (unsigned k = 0; k < runners->count; k++) {
        unsigned i = (k + round) % runners->count;
        if (!take_slice(runners, i, &ticks[i]))
            return false;
    }
    return true;
}

static bool start_all(struct runners *runners, int cpu)
{
    for (unsigned i = 0; i < runners->count; i++) {
        const struct machine_config config = {
            .program = program_of(runners->sweep, i), .cpu = cpu, .drop_privileges = true};
        runners->machine[i] = machine_start(&config, runners->arena, runners->err);
        if (!runners->machine[i] || !measure_handover(runners, i))
            return false;
    }
    return true;
}

static bool take_rounds(struct runners *runners)
{
    const struct sweep *sweep = runners->sweep;
    double warm_up[RUNNERS], end = seconds_now() + BUDGET;
    if (!take_round(runners, 0, warm_up))
        return false;
    while (runners->rounds < ROUNDS_MOST && (runners->rounds < ROUNDS_LEAST || seconds_now() < end)) {
        double ticks[RUNNERS];
        progress("%s: round %u", sweep->exercise->id, runners->rounds + 1);
        if (!take_round(runners, runners->rounds, ticks))
            return false;
        for (unsigned i = 0; i < runners->count; i++)
            runners->ticks[i][runners->rounds] = ticks[i];
        runners->rounds++;
    }
    return true;
}

/* Ratios within a round are steadier than times: what slowed one down slowed its neighbours too. */
static void judge(struct runners *runners)
{
    struct sweep *sweep = runners->sweep;
    const unsigned anchor = runners->count - 1;
    double values[ROUNDS_MOST], elements = 0;
    for (size_t call = 0; call < layout_count(runners->layout); call++)
        elements += (double)layout_elements(runners->layout, call);
    for (unsigned k = 0; k < runners->rounds; k++)
        values[k] = runners->ticks[anchor][k];
    double scale = stats_median(values, runners->rounds) / clock_frequency() * 1e9 / elements;
    if (sweep->baseline_program)
        sweep->baseline = scale;
    for (unsigned i = 0; i < sweep->count; i++) {
        struct sweep_point *point = &sweep->points[i];
        for (unsigned k = 0; k < runners->rounds; k++)
            values[k] = log(runners->ticks[i][k] / runners->ticks[anchor][k]);
        struct estimate ratio = stats_estimate(values, runners->rounds, DOUBT);
        point->time = scale * exp(ratio.median);
        point->low = scale * exp(ratio.low);
        point->high = scale * exp(ratio.high);
        sweep->noisy |= !(point->high < point->low * UNSTEADY);
    }
}

static struct layout *open_layout(const struct sweep *sweep, struct arena *arena, struct error *err)
{
    struct layout_call calls[CALLS_MOST];
    size_t count = sweep->bound->calls ? sweep->bound->calls : CALLS;
    if (count > CALLS_MOST)
        count = CALLS_MOST;
    for (size_t i = 0; i < count; i++)
        calls[i] = (struct layout_call){sweep->bound->elements, ARENA_AT_START};
    const struct layout_request request = {.def = sweep->def,
                                           .calls = calls,
                                           .count = count,
                                           .timed = true,
                                           .seed = sweep->seed,
                                           .cache_bytes = placement_cache_bytes()};
    return layout_open(arena, &request, err);
}

bool sweep_measure_native(struct sweep *sweep, struct arena *arena, struct error *err)
{
    struct runners runners = {.sweep = sweep, .arena = arena, .err = err};
    struct placement placement;
    runners.count = sweep->count + (sweep->baseline_program ? 1 : 0);
    runners.layout = open_layout(sweep, arena, err);
    if (!runners.layout)
        return false;
    placement_take(&placement, WAIT_SECONDS);
    clock_calibrate(10); /* the warm-up */
    bool good = start_all(&runners, placement.cpu) && take_rounds(&runners);
    if (good)
        judge(&runners);
    for (unsigned i = 0; i < runners.count; i++)
        machine_stop(runners.machine[i]);
    placement_release(&placement);
    layout_close(runners.layout);
    return good;
}
