#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_sum(const void *args, void *result)
{
    const struct sum_args *a = args;
    struct sum_result *r = result;
    r->sum = sum(a->values, a->n);
}

const plan_entry plan_entries[] = {[ENTRY_SUM] = call_sum};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
