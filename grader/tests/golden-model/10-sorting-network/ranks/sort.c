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

/* Each number's rank is how many are less, or equal and before it: 28 comparisons, and no exchange. */
void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        int32_t *at = groups + 8 * g, copy[8];
        unsigned rank[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) {
            copy[i] = at[i];
            rank[i] = 0;
        }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++)
#pragma GCC unroll 8
            for (int k = i + 1; k < 8; k++) {
                unsigned less = copy[k] < copy[i];
                rank[i] += less;
                rank[k] += 1 - less;
            }
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++)
            at[rank[i]] = copy[i];
    }
}
