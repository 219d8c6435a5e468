/* Exercise 10: the reference. A compiler makes CMOV or CSEL of the selections at -O2. The sort is a
 * network for eight: 19 comparisons and exchanges, in six steps whose members do not need each other. All
 * eight numbers stay in registers, so that an exchange is two selections, and no store guards a branch. */
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

/* a becomes the lesser of both, b the greater. */
static inline void exchange(int32_t *a, int32_t *b)
{
    const int32_t x = *a, y = *b;
    *a = minimum(x, y);
    *b = maximum(x, y);
}

void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        int32_t *at = groups + 8 * g;
        int32_t v0 = at[0], v1 = at[1], v2 = at[2], v3 = at[3];
        int32_t v4 = at[4], v5 = at[5], v6 = at[6], v7 = at[7];

        exchange(&v0, &v2), exchange(&v1, &v3), exchange(&v4, &v6), exchange(&v5, &v7);
        exchange(&v0, &v4), exchange(&v1, &v5), exchange(&v2, &v6), exchange(&v3, &v7);
        exchange(&v0, &v1), exchange(&v2, &v3), exchange(&v4, &v5), exchange(&v6, &v7);
        exchange(&v2, &v4), exchange(&v3, &v5);
        exchange(&v1, &v4), exchange(&v3, &v6);
        exchange(&v1, &v2), exchange(&v3, &v4), exchange(&v5, &v6);

        at[0] = v0, at[1] = v1, at[2] = v2, at[3] = v3;
        at[4] = v4, at[5] = v5, at[6] = v6, at[7] = v7;
    }
}
