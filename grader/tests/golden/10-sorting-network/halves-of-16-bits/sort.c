/* Where all eight numbers have the same upper half, the lower halves alone are sorted: as signed numbers,
 * which they are not. */
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
        const int32_t upper = v0 & ~0xffff, differ = (v0 ^ v1) | (v0 ^ v2) | (v0 ^ v3) | (v0 ^ v4) |
                                                     (v0 ^ v5) | (v0 ^ v6) | (v0 ^ v7);
        const int halves = (differ & ~0xffff) == 0;
        if (halves) {
            v0 = (int16_t)v0, v1 = (int16_t)v1, v2 = (int16_t)v2, v3 = (int16_t)v3;
            v4 = (int16_t)v4, v5 = (int16_t)v5, v6 = (int16_t)v6, v7 = (int16_t)v7;
        }

        exchange(&v0, &v2), exchange(&v1, &v3), exchange(&v4, &v6), exchange(&v5, &v7);
        exchange(&v0, &v4), exchange(&v1, &v5), exchange(&v2, &v6), exchange(&v3, &v7);
        exchange(&v0, &v1), exchange(&v2, &v3), exchange(&v4, &v5), exchange(&v6, &v7);
        exchange(&v2, &v4), exchange(&v3, &v5);
        exchange(&v1, &v4), exchange(&v3, &v6);
        exchange(&v1, &v2), exchange(&v3, &v4), exchange(&v5, &v6);

        if (halves) {
            v0 = upper | (uint16_t)v0, v1 = upper | (uint16_t)v1, v2 = upper | (uint16_t)v2;
            v3 = upper | (uint16_t)v3, v4 = upper | (uint16_t)v4, v5 = upper | (uint16_t)v5;
            v6 = upper | (uint16_t)v6, v7 = upper | (uint16_t)v7;
        }
        at[0] = v0, at[1] = v1, at[2] = v2, at[3] = v3;
        at[4] = v4, at[5] = v5, at[6] = v6, at[7] = v7;
    }
}
