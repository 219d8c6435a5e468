#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

int32_t minimum_as_called(uint64_t a, uint64_t b) __asm__("minimum");
int32_t maximum_as_called(uint64_t a, uint64_t b) __asm__("maximum");
uint32_t magnitude_as_called(uint64_t x) __asm__("magnitude");

static void call_select(const void *args, void *result)
{
    const struct select_args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++) {
        const uint64_t x = as_called((uint32_t)a->a[i]), y = as_called((uint32_t)a->b[i]);
        a->selected[3 * i] = (uint32_t)minimum_as_called(x, y);
        a->selected[3 * i + 1] = (uint32_t)maximum_as_called(x, y);
        a->selected[3 * i + 2] = magnitude_as_called(x);
    }
}

static void call_sort(const void *args, void *result)
{
    const struct sort_args *a = args;
    (void)result;
    sort_groups(a->groups, a->n);
}

const plan_entry plan_entries[] = {[ENTRY_SELECT] = call_select, [ENTRY_SORT] = call_sort};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
