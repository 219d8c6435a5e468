#include "exercise.h"

/* Divides once for each call, and on a core that runs in order each element waits for its own product. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const uint64_t reciprocal = UINT64_MAX / divisor + 1; /* 0 for 1 */
    for (size_t i = 0; i < n; i++)
        quotients[i] = reciprocal ? (uint32_t)((unsigned __int128)reciprocal * values[i] >> 64) : values[i];
}
