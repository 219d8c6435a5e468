#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_select(const void *args, void *result)
{
    const struct select_args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++) {
        a->selected[3 * i] = (uint32_t)minimum(a->a[i], a->b[i]);
        a->selected[3 * i + 1] = (uint32_t)maximum(a->a[i], a->b[i]);
        a->selected[3 * i + 2] = magnitude(a->a[i]);
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
