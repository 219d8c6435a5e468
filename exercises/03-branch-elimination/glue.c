#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

void clamp_as_called(int32_t *values, size_t n, uint64_t lo, uint64_t hi) __asm__("clamp");

static void call_clamp(const void *args, void *result)
{
    const struct clamp_args *a = args;
    (void)result;
    clamp_as_called(a->values, a->n, as_called((uint32_t)a->lo), as_called((uint32_t)a->hi));
}

const plan_entry plan_entries[] = {[ENTRY_CLAMP] = call_clamp};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
