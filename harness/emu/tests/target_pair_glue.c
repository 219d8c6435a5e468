/* The glue of test_two_cores.c's program: entries 0 and 1 are the parts of a call, entry 2 is its end. */
#include "harness/emu/tests/target_pair.h"
#include "harness/runner/glue.h"

static void call_first(const void *args, void *result)
{
    const struct pair_args *a = args;
    (void)result;
    pair_cases[a->which](a->shared, a->n, 0);
}

static void call_second(const void *args, void *result)
{
    const struct pair_args *a = args;
    (void)result;
    pair_cases[a->which](a->shared, a->n, 1);
}

static void call_end(const void *args, void *result)
{
    const struct pair_args *a = args;
    struct pair_result *r = result;
    r->sum = a->shared[0] + a->shared[1] + a->shared[16];
}

const plan_entry plan_entries[] = {call_first, call_second, call_end};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
