/* 2^32 / divisor rounded up is too coarse. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = UINT32_MAX / divisor + UINT64_C(1);
    for (size_t i = 0; i < n; i++)
        quotients[i] = (uint32_t)(reciprocal * values[i] >> 32);
}
