/* Masks from signs of 64-bit differences. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int64_t v = values[i];
        int64_t below = (v - lo) >> 63, above = ((int64_t)hi - v) >> 63;
        v = (v & ~below) | (lo & below);
        v = (v & ~above) | (hi & above);
        values[i] = (int32_t)v;
    }
}
