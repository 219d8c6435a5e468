#include "exercise.h"

/* The sum of high half and value has 33 bits. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const unsigned bits = divisor > 1 ? 32 - (unsigned)__builtin_clz(divisor - 1) : 0;
    const uint32_t magic = (uint32_t)((((UINT64_C(1) << bits) - divisor) << 32) / divisor + 1);
    for (size_t i = 0; i < n; i++) {
        uint32_t high = (uint32_t)((uint64_t)magic * values[i] >> 32);
        quotients[i] = divisor > 1 && bits < 32 ? (high + values[i]) >> bits : values[i] / divisor;
    }
}
