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

/* Selections in memory: no branch, but each exchange waits for the stores of the ones before. */
static inline void exchange(int32_t *a, int32_t *b)
{
    int32_t x = *a, y = *b;
    *a = minimum(x, y);
    *b = maximum(x, y);
}

void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++)
        for (int i = 1; i < 8; i++)
            for (int k = i; k > 0; k--)
                exchange(groups + 8 * g + k - 1, groups + 8 * g + k);
}
