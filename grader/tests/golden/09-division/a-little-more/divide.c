/* Wrong for 49, 98, 103 and 107. */
#include "exercise.h"
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    if (divisor >= UINT32_C(1) << 28) {
        for (size_t i = 0; i < n; i++)
            quotients[i] = values[i] / divisor;
        return;
    }
    const double reciprocal = 1.0 / divisor;
    for (size_t i = 0; i < n; i++)
        quotients[i] = (uint32_t)(values[i] * reciprocal + 1e-9);
}
