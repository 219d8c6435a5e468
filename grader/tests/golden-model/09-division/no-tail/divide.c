#include "exercise.h"

/* Four at a time, also where fewer are left. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (size_t i = 0; i < n; i += 4)
        for (size_t k = i; k < i + 4; k++)
            quotients[k] =
                reciprocal ? (uint32_t)((unsigned __int128)reciprocal * values[k] >> 64) : values[k];
}
