/* Two divisions a turn, and a division all the same. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        quotients[i] = values[i] / divisor;
        quotients[i + 1] = values[i + 1] / divisor;
    }
    if (i < n)
        quotients[i] = values[i] / divisor;
}
