#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_dot(const void *args, void *result)
{
    const struct dot_args *a = args;
    struct dot_result *r = result;
    r->product = dot(a->a, a->b, a->n);
}

static void call_probe(const void *args, void *result)
{
    const struct probe_args *a = args;
    struct probe_result *r = result;
    r->sum = probe(a->table, a->mask, a->keys, a->n);
}

const plan_entry plan_entries[] = {[ENTRY_DOT] = call_dot, [ENTRY_PROBE] = call_probe};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
