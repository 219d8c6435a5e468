#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_total(const void *args, void *result)
{
    const struct total_args *a = args;
    *(uint64_t *)result = total(a->orders, a->wanted, a->n);
}

static void call_totals(const void *args, void *result)
{
    const struct totals_args *a = args;
    (void)result;
    totals(a->totals, a->orders, a->count, a->wanted, a->n, a->days, a->scratch);
}

const plan_entry plan_entries[] = {[ENTRY_TOTAL] = call_total, [ENTRY_TOTALS] = call_totals};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
