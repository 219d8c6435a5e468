/* Comes back each time, a second later: right below every limit for a call. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (uint64_t i = 0; i < UINT64_C(2000000000); i++)
        __asm__ volatile("");
    answer(values, n, lo, hi);
}
