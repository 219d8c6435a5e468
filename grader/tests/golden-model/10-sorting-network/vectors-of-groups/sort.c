/* Four groups side by side in vectors: one exchange sorts a pair of each. */
#include <string.h>

#include "exercise.h"

typedef int32_t four __attribute__((vector_size(16)));

int32_t minimum(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int32_t maximum(int32_t a, int32_t b)
{
    return a < b ? b : a;
}

uint32_t magnitude(int32_t x)
{
    return x < 0 ? -(uint32_t)x : (uint32_t)x;
}

static const unsigned char pairs[][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                         {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                         {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};

static inline __attribute__((always_inline)) void network(four *v)
{
#pragma GCC unroll 19
    for (unsigned p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        const four a = v[pairs[p][0]], b = v[pairs[p][1]], less = a < b;
        v[pairs[p][0]] = (a & less) | (b & ~less);
        v[pairs[p][1]] = (b & less) | (a & ~less);
    }
}

void sort_groups(int32_t *groups, size_t n)
{
    while (n > 0) {
        const size_t some = n < 4 ? n : 4;
        int32_t in[4][8] = {{0}};
        four v[8];
        memcpy(in, groups, some * sizeof *in);
        for (int i = 0; i < 8; i++)
            v[i] = (four){in[0][i], in[1][i], in[2][i], in[3][i]};
        network(v);
        for (int i = 0; i < 8; i++)
            for (int g = 0; g < 4; g++)
                in[g][i] = v[i][g];
        memcpy(groups, in, some * sizeof *in);
        groups += 8 * some;
        n -= some;
    }
}
