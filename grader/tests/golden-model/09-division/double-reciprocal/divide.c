#include "exercise.h"

/* In double precision: half a unit keeps exact quotients away from the rounding. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const double reciprocal = 1.0 / divisor;
    for (size_t i = 0; i < n; i++)
        quotients[i] = (uint32_t)(((double)values[i] + 0.5) * reciprocal);
}
