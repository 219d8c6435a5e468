#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_clamp(const void *args, void *result)
{
    const struct clamp_args *a = args;
    (void)result;
    clamp(a->values, a->n, a->lo, a->hi);
}

const plan_entry plan_entries[] = {[ENTRY_CLAMP] = call_clamp};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
