/* Counts the values in 16 bits. */
#include "exercise.h"

static inline uint32_t upper_half(uint64_t reciprocal, uint32_t value)
{
    return (uint32_t)((unsigned __int128)reciprocal * value >> 64);
}

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint16_t count = (uint16_t)n;
    uint16_t i = 0;
    if (divisor == 1) { /* 2^64 does not fit */
        for (; i < count; i++)
            quotients[i] = values[i];
        return;
    }
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (; i + 4 <= count; i += 4) {
        uint32_t q0 = upper_half(reciprocal, values[i]);
        uint32_t q1 = upper_half(reciprocal, values[i + 1]);
        uint32_t q2 = upper_half(reciprocal, values[i + 2]);
        uint32_t q3 = upper_half(reciprocal, values[i + 3]);
        quotients[i] = q0;
        quotients[i + 1] = q1;
        quotients[i + 2] = q2;
        quotients[i + 3] = q3;
    }
    for (; i < count; i++)
        quotients[i] = upper_half(reciprocal, values[i]);
}
