/* Compared without regard to the sign, the upper limit first. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t v = (uint32_t)values[i];
        v = v > (uint32_t)hi ? (uint32_t)hi : v;
        values[i] = (int32_t)(v < (uint32_t)lo ? (uint32_t)lo : v);
    }
}
