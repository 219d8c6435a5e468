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

/* `what` with each lap's array and value. */
static void laps(const void *args, void *result, void (*what)(uint64_t *values, size_t n, uint64_t value))
{
    const struct fill_args *a = args;
    struct fill_result *r = result;
    uint64_t seen = 0;
    for (uint64_t lap = 0; lap < a->lap_count; lap++) {
        uint64_t *values = a->values + lap * a->step;
        if (a->step > 0)
            fetch(values, a->n);
        what(values, a->n, a->laps[lap].value);
        if (a->n > 0)
            seen = look(seen, *(volatile uint64_t *)&values[a->laps[lap].place]);
    }
    r->seen = seen;
}

static void call_fill(const void *args, void *result)
{
    laps(args, result, fill);
}

static void nothing(uint64_t *values, size_t n, uint64_t value)
{
    (void)values;
    (void)n;
    (void)value;
}

static void call_idle(const void *args, void *result)
{
    laps(args, result, nothing);
}

const plan_entry plan_entries[] = {[ENTRY_FILL] = call_fill, [ENTRY_IDLE] = call_idle};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
