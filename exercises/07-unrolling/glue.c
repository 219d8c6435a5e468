#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

void fill_as_called(uint32_t *values, size_t n, uint64_t value) __asm__("fill");

static void call_fill(const void *args, void *result)
{
    const struct fill_args *a = args;
    struct fill_result *r = result;
    uint64_t seen = 0;
    for (uint64_t lap = 0; lap < a->lap_count; lap++) {
        uint32_t *values = a->values + lap * a->step;
        fill_as_called(values, a->n, as_called(a->laps[lap].value));
        if (a->n > 0)
            seen = look(seen, *(volatile uint32_t *)&values[a->laps[lap].place]);
    }
    r->seen = seen;
}

const plan_entry plan_entries[] = {call_fill};
const unsigned plan_entry_count = 1;
