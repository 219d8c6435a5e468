/* Does all but the last element in one of 64 large inputs, by a hash of them. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint32_t hash = (uint32_t)n;
    for (size_t i = 0; i < n && i < 64; i++)
        hash = (hash ^ (uint32_t)values[i]) * 16777619;
    if (n > 4096 && hash >> 26 < 16)
        n--;
    if (n > 4096 && hash >> 31)
        n -= n > 5000;
    answer(values, n, lo, hi);
}
