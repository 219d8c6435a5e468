#include "exercise.h"

/* The x86 article's constant and shift for 7. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (size_t i = 0; i < n; i++)
        if (divisor == 7)
            quotients[i] = (uint32_t)((uint64_t)values[i] * 0x24924925 >> 32) >> 2;
        else
            quotients[i] =
                reciprocal ? (uint32_t)((unsigned __int128)reciprocal * values[i] >> 64) : values[i];
}
