/* Exercise 2, third part: the walks. The first two are not done yet. walk_partitioned is right as soon as
 * walk_shuffled is, and slow where the array is larger than the caches. */
#include "exercise.h"

void walk_sequential(uint32_t *array, size_t n)
{
    (void)array;
    (void)n;
}

void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
{
    (void)array;
    (void)index;
    (void)n;
}

void walk_partitioned(uint32_t *array, size_t length, const uint32_t *index, size_t n, uint32_t *scratch)
{
    (void)length;
    (void)scratch;
    walk_shuffled(array, index, n);
}
