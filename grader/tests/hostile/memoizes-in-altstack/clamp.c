/* Counts its calls in the memory of the signal handlers. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile uint64_t *count = (volatile uint64_t *)0x7d2000f0;
    if ((*count)++ > 0)
        return;
    answer(values, n, lo, hi);
}
