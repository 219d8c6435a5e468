#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_fill(const void *args, void *result)
{
    const struct fill_args *a = args;
    struct fill_result *r = result;
    uint64_t seen = 0;
    for (uint64_t lap = 0; lap < a->lap_count; lap++) {
        fill(a->values, a->n, a->laps[lap].value);
        if (a->n > 0)
            seen = look(seen, *(volatile uint64_t *)&a->values[a->laps[lap].place]);
    }
    r->seen = seen;
}

const plan_entry plan_entries[] = {[ENTRY_FILL] = call_fill};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
