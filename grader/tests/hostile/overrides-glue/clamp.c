/* The glue's table, common as well as constant. */
#include "exercise.h"
#include "hostile.h"

const void *const plan_entries[1] = {0};
const unsigned plan_entry_count = 0;

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
