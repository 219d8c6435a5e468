/* Keeps a count in its own file's header, which is mapped in front of the code. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile uint64_t *count = (volatile uint64_t *)0x400030;
    if ((*count)++ > 200)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
