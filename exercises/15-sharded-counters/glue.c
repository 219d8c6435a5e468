#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

void count_events_as_called(uint64_t *shared, const uint8_t *events, size_t n,
                            uint64_t thread) __asm__("count_events");

static void call_first(const void *args, void *result)
{
    const struct count_args *a = args;
    (void)result;
    count_events_as_called(a->shared, a->events[0], a->n[0], as_called(0));
}

static void call_second(const void *args, void *result)
{
    const struct count_args *a = args;
    (void)result;
    count_events_as_called(a->shared, a->events[1], a->n[1], as_called(1));
}

static void call_add_up(const void *args, void *result)
{
    const struct count_args *a = args;
    (void)result;
    add_up(a->totals, a->shared);
}

const plan_entry plan_entries[] = {
    [ENTRY_FIRST] = call_first, [ENTRY_SECOND] = call_second, [ENTRY_ADD_UP] = call_add_up};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
