#include "exercise.h"

/* The 33-bit reciprocal: a multiplication by its lower 32 bits, and an addition whose carry is not lost. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const unsigned bits = divisor > 1 ? 32 - (unsigned)__builtin_clz(divisor - 1) : 0;
    const uint32_t magic = (uint32_t)((((UINT64_C(1) << bits) - divisor) << 32) / divisor + 1);
    const unsigned first = bits > 0, second = bits > 0 ? bits - 1 : 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t high = (uint32_t)((uint64_t)magic * values[i] >> 32);
        quotients[i] = (high + ((values[i] - high) >> first)) >> second;
    }
}
