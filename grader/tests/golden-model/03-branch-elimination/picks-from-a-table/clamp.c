/* A table of three answers: no branch, but each element goes through memory twice more. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        const int32_t v = values[i], answers[] = {v, lo, hi};
        values[i] = answers[(v < lo) + 2 * (v > hi)];
    }
}
