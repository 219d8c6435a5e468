/* Right for each divisor but 1. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (size_t i = 0; i < n; i++)
        quotients[i] = (uint32_t)((unsigned __int128)reciprocal * values[i] >> 64);
}
