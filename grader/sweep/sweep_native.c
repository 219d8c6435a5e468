/* A sweep on this machine: all values and the baseline take turns, which are dealt to rounds that keep the
 * least, as in a check (bench.c), but nothing is judged: medians of the ratios to the baseline of the same
 * round, and how sure they are. */
#include "grader/sweep/sweep_internal.h"

#include <math.h>
#include <time.h>
#include "grader/exercise/layout.h"
#include "harness/clock/clock.h"
#include "harness/sched/placement.h"
#include "harness/base/progress.h"
#include "harness/runner/machine.h"
#include "harness/stats/stats.h"

enum {
    RUNNERS = SWEEP_VALUES + 1, /* the baseline is the last one */
    ROUNDS = 16,
    TURNS_LEAST = 6,
    TURNS_MOST = 16 * ROUNDS,
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
    double handover[RUNNERS][ROUNDS]; /* ticks: the least of an empty plan, */
    double slice[RUNNERS][ROUNDS];    /* and of a slice, hand-over and all */
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
static bool execute(struct runners *runners, unsigned i, size_t calls, double *ticks)
{
    struct machine_run run = {.outcome = MACHINE_NOT_READY};
    bool ready = machine_prepare(runners->machine[i]);
    if (calls > 0)
        layout_set_caches(runners->layout, NULL, calls);
    uint64_t begin = clock_begin();
    if (ready)
        machine_execute(runners->machine[i], LIMIT_MS, &run);
    *ticks = (double)(clock_end() - begin);
    machine_end(runners->machine[i]);
    return run.outcome == MACHINE_DONE ||
           error_set(runners->err, "the runner of %s did not come to its end", program_of(runners->sweep, i));
}

/* An empty plan, then all calls; `round` keeps the least of each. */
static bool take_slice(struct runners *runners, unsigned i, unsigned round)
{
    struct finding why;
    double handover, slice;
    size_t calls = layout_count(runners->layout);
    layout_fill(runners->layout, 0);
    if (!execute(runners, i, 0, &handover))
        return false;
    layout_fill(runners->layout, calls);
    if (!execute(runners, i, calls, &slice))
        return false;
    runners->handover[i][round] = fmin(runners->handover[i][round], handover);
    runners->slice[i][round] = fmin(runners->slice[i][round], slice);
    for (size_t call = 0; call < calls; call++)
        if (!layout_verify(runners->layout, call, &why))
            return error_set(runners->err, "the suite's own code is wrong: %s", why.text);
    return true;
}

static bool take_turn(struct runners *runners, unsigned turn)
{
    for (unsigned k = 0; k < runners->count; k++)
        if (!take_slice(runners, (k + turn + turn / ROUNDS) % runners->count, turn % ROUNDS))
            return false;
    return true;
}

static void forget(struct runners *runners)
{
    for (unsigned i = 0; i < RUNNERS; i++)
        for (unsigned round = 0; round < ROUNDS; round++)
            runners->handover[i][round] = runners->slice[i][round] = INFINITY;
}

static bool start_all(struct runners *runners, int cpu)
{
    for (unsigned i = 0; i < runners->count; i++) {
        const struct machine_config config = {.program = program_of(runners->sweep, i),
                                              .cpu = cpu,
                                              .drop_privileges = true,
                                              .lent = runners->sweep->exercise->lent};
        runners->machine[i] = machine_start(&config, runners->arena, runners->err);
        if (!runners->machine[i])
            return false;
    }
    return true;
}

static bool take_turns(struct runners *runners)
{
    const double end = seconds_now() + BUDGET;
    forget(runners);
    if (!take_turn(runners, 0)) /* the warm-up */
        return false;
    forget(runners);
    for (unsigned turn = 0; turn < TURNS_MOST && (turn < TURNS_LEAST || seconds_now() < end); turn++) {
        progress("%s: slice %u", runners->sweep->exercise->id, turn + 1);
        if (!take_turn(runners, turn))
            return false;
        if (turn < ROUNDS)
            runners->rounds = turn + 1;
    }
    return true;
}

/* Ticks of a round. */
static double ticks(const struct runners *runners, unsigned i, unsigned round)
{
    return runners->slice[i][round] - runners->handover[i][round];
}

/* Ratios within a round are steadier than times: what slowed one down slowed its neighbours too. */
static void judge(struct runners *runners)
{
    struct sweep *sweep = runners->sweep;
    const unsigned anchor = runners->count - 1;
    double values[ROUNDS], elements = 0;
    for (size_t call = 0; call < layout_count(runners->layout); call++)
        elements += (double)layout_elements(runners->layout, call);
    for (unsigned k = 0; k < runners->rounds; k++)
        values[k] = ticks(runners, anchor, k);
    double scale = stats_median(values, runners->rounds) / clock_frequency() * 1e9 / elements;
    if (sweep->baseline_program)
        sweep->baseline = scale;
    for (unsigned i = 0; i < sweep->count; i++) {
        struct sweep_point *point = &sweep->points[i];
        for (unsigned k = 0; k < runners->rounds; k++)
            values[k] = log(ticks(runners, i, k) / ticks(runners, anchor, k));
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
    arena_make_huge(arena);
    bool good = start_all(&runners, placement.cpu) && take_turns(&runners);
    if (good)
        judge(&runners);
    for (unsigned i = 0; i < runners.count; i++)
        machine_stop(runners.machine[i]);
    placement_release(&placement);
    layout_close(runners.layout);
    return good;
}
