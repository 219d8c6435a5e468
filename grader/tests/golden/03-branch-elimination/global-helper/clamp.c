#include "exercise.h"

int32_t limited(int32_t v, int32_t lo, int32_t hi);

int32_t limited(int32_t v, int32_t lo, int32_t hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++)
        values[i] = limited(values[i], lo, hi);
}
