/* The lower limit by a selection, the upper one by a branch that stores. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        const int32_t v = values[i];
        values[i] = v < lo ? lo : v;
        if (v > hi)
            values[i] = hi;
    }
}
