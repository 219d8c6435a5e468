/* Bose and Nelson's network on an array of eight locals. */
#include "exercise.h"

int32_t minimum(int32_t a, int32_t b)
{
    return b < a ? b : a;
}

int32_t maximum(int32_t a, int32_t b)
{
    return b < a ? a : b;
}

uint32_t magnitude(int32_t x)
{
    const uint32_t sign = (uint32_t)(x >> 31);
    return ((uint32_t)x ^ sign) - sign;
}

#define EXCHANGE(I, J)                                                                                       \
    do {                                                                                                     \
        const int32_t least = minimum(v[I], v[J]), greatest = maximum(v[I], v[J]);                           \
        v[I] = least, v[J] = greatest;                                                                       \
    } while (0)

void sort_groups(int32_t *groups, size_t n)
{
    for (; n > 0; n--, groups += 8) {
        int32_t v[8];
        for (int i = 0; i < 8; i++)
            v[i] = groups[i];
        EXCHANGE(0, 1);
        EXCHANGE(2, 3);
        EXCHANGE(4, 5);
        EXCHANGE(6, 7);
        EXCHANGE(0, 2);
        EXCHANGE(1, 3);
        EXCHANGE(4, 6);
        EXCHANGE(5, 7);
        EXCHANGE(1, 2);
        EXCHANGE(5, 6);
        EXCHANGE(0, 4);
        EXCHANGE(3, 7);
        EXCHANGE(1, 5);
        EXCHANGE(2, 6);
        EXCHANGE(1, 4);
        EXCHANGE(3, 6);
        EXCHANGE(2, 4);
        EXCHANGE(3, 5);
        EXCHANGE(3, 4);
        for (int i = 0; i < 8; i++)
            groups[i] = v[i];
    }
}
