#include "exercise.h"

int32_t minimum(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int32_t maximum(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

uint32_t magnitude(int32_t x)
{
    return x < 0 ? 0 - (uint32_t)x : (uint32_t)x;
}

/* Neighbours are exchanged, eight times over: 28 exchanges, as in bubble sort. */
void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        int32_t *at = groups + 8 * g, v[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++)
            v[i] = at[i];
#pragma GCC unroll 8
        for (int step = 0; step < 8; step++)
#pragma GCC unroll 4
            for (int i = step & 1; i < 7; i += 2) {
                int32_t a = v[i], b = v[i + 1];
                v[i] = minimum(a, b);
                v[i + 1] = maximum(a, b);
            }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++)
            at[i] = v[i];
    }
}
