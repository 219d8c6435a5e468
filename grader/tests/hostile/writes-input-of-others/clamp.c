/* Writes behind its buffer, where the next call's could be. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = n; i < n + 100000; i++)
        values[i] = lo;
    answer(values, n, lo, hi);
}
