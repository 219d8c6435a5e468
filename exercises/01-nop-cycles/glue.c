#include "harness/runner/glue.h"
#include <stdbool.h>
#include <stddef.h>
#include "exercise.h"
#include "blocks.h"
#include "glue.h"
#include "isa.h"

/* Added to what is reported as a value, so that a coarse counter's 0 and 1 are not worlds apart. */
enum { GRAIN = 2 };

/* The glue's own reading of the counter, which no later or earlier instruction can pass. */
static uint64_t now(void)
{
    fence();
    uint64_t ticks = read_counter();
    fence();
    return ticks;
}

static uint64_t smaller(uint64_t x, uint64_t y)
{
    return x < y ? x : y;
}

/* ---- blocks: in functions of their own, aligned, so that they are the same in every program ----
 * To a page: how fast NOPs are decoded can depend on all bits of an address within it. */

#define BLOCK __attribute__((noinline, aligned(4096))) static void

BLOCK block_nops(void *argument)
{
    const struct mix *mix = argument;
    run_nops(mix->nops);
}

BLOCK block_adds(void *argument)
{
    const struct mix *mix = argument;
    run_adds(mix->adds);
}

BLOCK block_part(void *argument)
{
    const struct pair *pair = argument;
    run_adds(pair->part);
}

BLOCK block_whole(void *argument)
{
    const struct pair *pair = argument;
    run_adds(pair->whole);
}

BLOCK block_hundreds(void *argument)
{
    const uint64_t *times = argument;
    run_adds(*times);
}

enum { LONG_HUNDREDS = 200 };

_Static_assert(STAGED_RUNS == RUNS, "each run is staged");

static bool is_long(const struct staged *staged, uint64_t run)
{
    if (staged->stage == STAGE_INTERRUPTED || staged->stage == STAGE_INTERRUPTED_AGAIN)
        return run >= RUNS || staged->undisturbed[run] != staged->stage;
    return staged->stage != STAGE_SHORT;
}

BLOCK block_staged(void *argument)
{
    struct staged *staged = argument;
    run_adds(is_long(staged, staged->runs++) ? LONG_HUNDREDS : 1);
}

/* ---- what is right anywhere, whatever the machine ---- */

static void call_counter(const void *args, void *result)
{
    struct counter_result *r = result;
    (void)args;
    counter_enable();
    for (unsigned i = 0; i < READINGS; i++) {
        r->reading[i].before = now();
        r->reading[i].begin = cycles_begin();
        run_adds(400);
        r->reading[i].end = cycles_end();
        r->reading[i].after = now();
    }
}

static void call_least(const void *args, void *result)
{
    const struct least_args *a = args;
    struct least_result *r = result;
    r->least = least_ticks(a->ticks, a->n, a->overhead);
}

static void call_overhead(const void *args, void *result)
{
    struct overhead_result *r = result;
    (void)args;
    counter_enable();
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < RUNS; i++) {
        uint64_t begin = cycles_begin();
        least = smaller(least, cycles_end() - begin);
    }
    *r = (struct overhead_result){.student = measure_overhead(), .glue = least};
}

static void call_minimum(const void *args, void *result)
{
    struct recipe *recipe = ((const struct recipe_args *)args)->recipe;
    struct minimum_result *r = result;
    counter_enable();
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < RUNS; i++) {
        uint64_t begin = now();
        run_adds(LONG_HUNDREDS);
        least = smaller(least, now() - begin);
    }
    recipe->minimum.block = least;
    for (unsigned i = 0; i < STAGINGS * STAGES; i++) {
        const enum stage stage = (enum stage)recipe->order[i / STAGES][i % STAGES];
        recipe->staged.stage = stage;
        recipe->staged.runs = 0;
        recipe->minimum.ticks[i / STAGES][stage] =
            measure_minimum(block_staged, &recipe->staged, stage == STAGE_SMALLER ? 8 * least : 0);
        recipe->minimum.runs[i / STAGES][stage] = recipe->staged.runs;
    }
    *r = recipe->minimum;
}

static void call_ratio(const void *args, void *result)
{
    struct recipe *recipe = ((const struct recipe_args *)args)->recipe;
    struct ratio_result *r = result;
    counter_enable();
    for (unsigned i = 0; i < RATIOS; i++)
        r->value[i] = cycles_per_nop(block_part, block_whole, &recipe->pair[i]);
}

/* ---- what is held against the reference's process: in core cycles, so that the clock may go up and down
 * ---- */

/* The ruler: ticks of adds that take 1,000 * coarse cycles, the smallest seen so far. It is laid on between
 * the measurements, so that both are smallest at the same clock. */
struct ruler {
    uint64_t coarse;
    uint64_t ticks;
};

static struct ruler ruler_new(void)
{
    return (struct ruler){.coarse = coarseness(), .ticks = UINT64_MAX};
}

static void ruler_lay(struct ruler *ruler)
{
    uint64_t begin = now();
    run_adds(10 * ruler->coarse);
    ruler->ticks = smaller(ruler->ticks, now() - begin);
}

static double ruler_cycles(const struct ruler *ruler, uint64_t ticks)
{
    return 1000.0 * (double)ruler->coarse * ((double)ticks + GRAIN) / ((double)ruler->ticks + GRAIN);
}

/* As it would be with as many adds as usual: each takes a cycle. */
static double as_usual(double cycles, const struct value_args *a)
{
    return cycles - (double)a->n + (double)a->usual;
}

_Static_assert(VALUE_RUNS == RUNS, "a pair of readings for each run");

/* A region of the student's around `block`. Returns its ticks. */
#define REGION(RESULT, RUN, BLOCK)                                                                           \
    ((RESULT)->readings[2 * (RUN)] = cycles_begin(), (BLOCK),                                                \
     (RESULT)->readings[2 * (RUN) + 1] = cycles_end(),                                                       \
     (RESULT)->readings[2 * (RUN) + 1] - (RESULT)->readings[2 * (RUN)])

static void call_time_adds(const void *args, void *result)
{
    const struct value_args *a = args;
    struct value_result *r = result;
    counter_enable();
    struct ruler ruler = ruler_new();
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < RUNS; i++) {
        least = smaller(least, REGION(r, i, run_adds(a->n / 100)));
        ruler_lay(&ruler);
    }
    r->value = as_usual(ruler_cycles(&ruler, least), a);
}

/* A long chain is begun in the region: it has to be waited for at the region's end. */
static void call_time_tail(const void *args, void *result)
{
    struct value_result *r = result;
    (void)args;
    counter_enable();
    struct ruler ruler = ruler_new();
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < RUNS; i++) {
        least = smaller(least, REGION(r, i, start_roots()));
        ruler_lay(&ruler);
    }
    r->value = ruler_cycles(&ruler, least);
}

/* The median, not the least: an interruption before the region ends the chain early, and hides what is looked
 * for. */
static uint64_t median(uint64_t *ticks, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && ticks[j] < ticks[j - 1]; j--) {
            uint64_t swapped = ticks[j];
            ticks[j] = ticks[j - 1];
            ticks[j - 1] = swapped;
        }
    return ticks[n / 2];
}

/* A long chain is begun before the region: it must not be waited for inside. */
static void call_time_lead(const void *args, void *result)
{
    const struct value_args *a = args;
    struct value_result *r = result;
    uint64_t ticks[RUNS];
    counter_enable();
    struct ruler ruler = ruler_new();
    for (unsigned i = 0; i < RUNS; i++) {
        start_roots();
        ticks[i] = REGION(r, i, run_adds(a->n / 100));
        ruler_lay(&ruler);
    }
    r->value = as_usual(ruler_cycles(&ruler, median(ticks, RUNS)), a);
}

/* A short block, from which a forgotten overhead stands out. */
static void call_net(const void *args, void *result)
{
    struct recipe *recipe = ((const struct recipe_args *)args)->recipe;
    struct value_result *r = result;
    counter_enable();
    struct ruler ruler = ruler_new();
    recipe->times = recipe->value.n / 100 * ruler.coarse;
    for (unsigned i = 0; i < RUNS; i++)
        ruler_lay(&ruler);
    uint64_t overhead = measure_overhead();
    uint64_t ticks = measure_minimum(block_hundreds, &recipe->times, overhead);
    for (unsigned i = 0; i < RUNS; i++)
        ruler_lay(&ruler);
    r->value = as_usual(ruler_cycles(&ruler, ticks) / (double)ruler.coarse, &recipe->value);
}

static void call_nops(const void *args, void *result)
{
    struct recipe *recipe = ((const struct recipe_args *)args)->recipe;
    struct nops_result *r = result;
    const uint64_t coarse = coarseness();
    counter_enable();
    for (uint64_t i = 0; i < recipe->mixes; i++) {
        const struct mix *mix = &recipe->mix[i];
        recipe->under_way = (struct mix){.nops = coarse * mix->nops, .adds = coarse * mix->adds};
        const double found = cycles_per_nop(block_nops, block_adds, &recipe->under_way);
        r->mixed[i] = found * (double)mix->adds / (10 * (double)mix->nops);
        if (mix->nops == 1)
            r->value = r->mixed[i];
    }
}

const struct plan_handed plan_handed[] = {
    PLAN_HANDED(block_nops),  PLAN_HANDED(block_adds),     PLAN_HANDED(block_part),
    PLAN_HANDED(block_whole), PLAN_HANDED(block_hundreds), PLAN_HANDED(block_staged),
};
const unsigned plan_handed_count = sizeof plan_handed / sizeof *plan_handed;

const plan_entry plan_entries[] = {
    [ENTRY_COUNTER] = call_counter,
    [ENTRY_LEAST] = call_least,
    [ENTRY_OVERHEAD] = call_overhead,
    [ENTRY_MINIMUM] = call_minimum,
    [ENTRY_RATIO] = call_ratio,
    [ENTRY_TIME_ADDS] = call_time_adds,
    [ENTRY_TIME_TAIL] = call_time_tail,
    [ENTRY_TIME_LEAD] = call_time_lead,
    [ENTRY_NET] = call_net,
    [ENTRY_NOPS] = call_nops,
};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
