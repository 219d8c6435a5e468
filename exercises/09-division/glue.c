#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_divide(const void *args, void *result)
{
    const struct divide_args *a = args;
    (void)result;
    divide(a->quotients, a->values, a->n, a->divisor);
}

static void call_times_nine(const void *args, void *result)
{
    const struct times_nine_args *a = args;
    struct times_nine_result *r = result;
    r->x = times_nine(a->values, a->n);
}

const plan_entry plan_entries[] = {[ENTRY_DIVIDE] = call_divide, [ENTRY_TIMES_NINE] = call_times_nine};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
