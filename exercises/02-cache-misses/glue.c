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

static void call_sequential(const void *args, void *result)
{
    const struct walk_args *a = args;
    (void)result;
    walk_sequential(a->array, a->n);
}

static void call_shuffled(const void *args, void *result)
{
    const struct walk_args *a = args;
    (void)result;
    walk_shuffled(a->array, a->index, a->n);
}

/* What was counted in the student's walk goes through the student's rates. */
static void profile(plan_entry walk, const void *args, struct profile_result *r)
{
    counters_begin();
    walk(args, NULL);
    counters_end(&r->counters);
    rate(&r->rates, &r->counters);
}

static void call_sequential_profile(const void *args, void *result)
{
    profile(call_sequential, args, result);
}

static void call_shuffled_profile(const void *args, void *result)
{
    profile(call_shuffled, args, result);
}

/* Natively other programs push out of the last-level cache what was drawn a millisecond ago, some of it or
 * all. Then the first lap took as long as five others, and all of the reference's time hung on that. */
static void warm_up(const struct record *record, uint64_t n, volatile uint64_t *where)
{
    for (uint64_t i = 0; i < n; i++)
        *where = record_value(&record[i]);
}

static void call_ring(const void *args, void *result)
{
    const struct ring_args *a = args;
    if (a->warm)
        warm_up(a->warm, a->n, result);
    *(uint64_t *)result = ring_hash(a->first, a->n, a->laps, a->scratch);
}

const plan_entry plan_entries[] = {[ENTRY_RATES] = call_rates,
                                   [ENTRY_SHUFFLE] = call_shuffle,
                                   [ENTRY_SEQUENTIAL] = call_sequential,
                                   [ENTRY_SHUFFLED] = call_shuffled,
                                   [ENTRY_SEQUENTIAL_PROFILE] = call_sequential_profile,
                                   [ENTRY_SHUFFLED_PROFILE] = call_shuffled_profile,
                                   [ENTRY_RING] = call_ring};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
