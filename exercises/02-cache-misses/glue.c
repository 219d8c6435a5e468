#include <stdbool.h>
#include "harness/runner/glue.h"
#include "counters.h"
#include "exercise.h"
#include "glue.h"

static void rate(struct rates_result *r, const struct miss_counters *counters)
{
    r->l1d = l1d_miss_rate(counters);
    r->llc = llc_miss_rate(counters);
}

static void call_rates(const void *args, void *result)
{
    const struct rates_args *a = args;
    rate(result, &a->counters);
}

static void call_shuffle(const void *args, void *result)
{
    const struct shuffle_args *a = args;
    (void)result;
    for (uint64_t row = 0; row < a->rows; row++)
        shuffle(a->index + row * a->n, a->n, a->seed + ((row > 0 ? row - 1 : 0) << a->shift));
}

/* What was counted in the student's walk goes through the student's rates. */
static void walk(const struct walk_args *a, bool shuffled, struct profile_result *r)
{
    if (a->profile)
        counters_begin();
    if (shuffled)
        walk_shuffled(a->array, a->index, a->n);
    else
        walk_sequential(a->array, a->n);
    if (!a->profile)
        return;
    counters_end(&r->counters);
    rate(&r->rates, &r->counters);
}

static void call_sequential(const void *args, void *result)
{
    walk(args, false, result);
}

static void call_shuffled(const void *args, void *result)
{
    walk(args, true, result);
}

static void call_ring(const void *args, void *result)
{
    const struct ring_args *a = args;
    *(uint64_t *)result = ring_hash(a->first, a->n, a->laps, a->scratch);
}

const plan_entry plan_entries[] = {[ENTRY_RATES] = call_rates,
                                   [ENTRY_SHUFFLE] = call_shuffle,
                                   [ENTRY_SEQUENTIAL] = call_sequential,
                                   [ENTRY_SHUFFLED] = call_shuffled,
                                   [ENTRY_RING] = call_ring};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
