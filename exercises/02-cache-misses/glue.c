#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_rates(const void *args, void *result)
{
    const struct rates_args *a = args;
    struct rates_result *r = result;
    r->l1d = l1d_miss_rate(&a->counters);
    r->llc = llc_miss_rate(&a->counters);
}

static void call_shuffle(const void *args, void *result)
{
    const struct shuffle_args *a = args;
    (void)result;
    for (uint64_t row = 0; row < a->rows; row++)
        shuffle(a->index + row * a->n, a->n, a->seed + (row > 0 ? row - 1 : 0));
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

static void call_partitioned(const void *args, void *result)
{
    const struct walk_args *a = args;
    (void)result;
    walk_partitioned(a->array, a->length, a->index, a->n, a->scratch);
}

const plan_entry plan_entries[] = {[ENTRY_RATES] = call_rates,
                                   [ENTRY_SHUFFLE] = call_shuffle,
                                   [ENTRY_SEQUENTIAL] = call_sequential,
                                   [ENTRY_SHUFFLED] = call_shuffled,
                                   [ENTRY_PARTITIONED] = call_partitioned};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
