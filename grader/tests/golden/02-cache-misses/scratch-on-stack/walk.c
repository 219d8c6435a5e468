#include "exercise.h"

void walk_sequential(uint32_t *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[i]++;
}

void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[index[i]]++;
}

void walk_partitioned(uint32_t *array, size_t length, const uint32_t *index, size_t n, uint32_t *scratch)
{
    (void)length;
    (void)scratch;
    volatile uint32_t copy[1 << 18];
    copy[n & 15] = 0;
    walk_shuffled(array, index, n);
}
