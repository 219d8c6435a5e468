#include "exercise.h"

/* The x86 article's constant for 10 as an immediate, which is extended with its sign. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (size_t i = 0; i < n; i++)
        if (divisor == 10)
            quotients[i] = (uint32_t)((int64_t)(int32_t)0xCCCCCCCD * values[i] >> 35);
        else
            quotients[i] =
                reciprocal ? (uint32_t)((unsigned __int128)reciprocal * values[i] >> 64) : values[i];
}
