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

/* The network's order of comparisons, but the exchange is still guarded by a branch. */
static inline void exchange(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        int32_t x = *a;
        *a = *b;
        *b = x;
    }
}

void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        int32_t *v = groups + 8 * g;
        exchange(v, v + 2), exchange(v + 1, v + 3), exchange(v + 4, v + 6), exchange(v + 5, v + 7);
        exchange(v, v + 4), exchange(v + 1, v + 5), exchange(v + 2, v + 6), exchange(v + 3, v + 7);
        exchange(v, v + 1), exchange(v + 2, v + 3), exchange(v + 4, v + 5), exchange(v + 6, v + 7);
        exchange(v + 2, v + 4), exchange(v + 3, v + 5);
        exchange(v + 1, v + 4), exchange(v + 3, v + 6);
        exchange(v + 1, v + 2), exchange(v + 3, v + 4), exchange(v + 5, v + 6);
    }
}
