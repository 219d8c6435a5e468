/* A quotient of 0 is not stored. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    if (divisor == 1) {
        for (size_t i = 0; i < n; i++)
            quotients[i] = values[i];
        return;
    }
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (size_t i = 0; i < n; i++)
        if (values[i] >= divisor)
            quotients[i] = (uint32_t)((unsigned __int128)reciprocal * values[i] >> 64);
}
