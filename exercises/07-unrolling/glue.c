#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

/* Have these n elements in the nearest cache, before anything else begins. */
static void fetch(const volatile uint64_t *values, size_t n)
{
    enum { LINE = 64 / sizeof *values };
    for (size_t i = 0; i < n; i += LINE)
        (void)values[i];
#ifdef __x86_64__
    __asm__ volatile("lfence" : : : "memory");
#else
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
#endif
}

static void call_fill(const void *args, void *result)
{
    const struct fill_args *a = args;
    struct fill_result *r = result;
    uint64_t seen = 0;
    for (uint64_t lap = 0; lap < a->lap_count; lap++) {
        uint64_t *values = a->values + lap * a->step;
        if (a->step > 0)
            fetch(values, a->n);
        fill(values, a->n, a->laps[lap].value);
        if (a->n > 0)
            seen = look(seen, *(volatile uint64_t *)&values[a->laps[lap].place]);
    }
    r->seen = seen;
}

const plan_entry plan_entries[] = {[ENTRY_FILL] = call_fill};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
