#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

void divide_as_called(uint32_t *quotients, const uint32_t *values, size_t n,
                      uint64_t divisor) __asm__("divide");

static void call_divide(const void *args, void *result)
{
    const struct divide_args *a = args;
    (void)result;
    divide_as_called(a->quotients, a->values, a->n, as_called(a->divisor));
}

static void call_times_nine(const void *args, void *result)
{
    const struct times_nine_args *a = args;
    struct times_nine_result *r = result;
    r->x = times_nine(a->values, a->n);
}

const plan_entry plan_entries[] = {[ENTRY_DIVIDE] = call_divide, [ENTRY_TIMES_NINE] = call_times_nine};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
