/* Eight quotients a round, powers of two by a shift. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    if ((divisor & (divisor - 1)) == 0) {
        const int shift = __builtin_ctz(divisor);
        for (size_t i = 0; i < n; i++)
            quotients[i] = values[i] >> shift;
        return;
    }
    const uint64_t reciprocal = UINT64_MAX / divisor + 1;
    for (; n >= 8; n -= 8, values += 8, quotients += 8) {
        uint32_t q[8];
        for (int k = 0; k < 8; k++)
            q[k] = (uint32_t)(((unsigned __int128)reciprocal * values[k]) >> 64);
        for (int k = 0; k < 8; k++)
            quotients[k] = q[k];
    }
    for (; n > 0; n--)
        *quotients++ = (uint32_t)(((unsigned __int128)reciprocal * *values++) >> 64);
}
