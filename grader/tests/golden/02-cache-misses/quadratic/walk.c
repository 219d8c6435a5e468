/* Right for the caches, and a pass over all indices for each line. */
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
    (void)scratch;
    for (size_t part = 0; part < length; part += 16)
        for (size_t j = 0; j < n; j++)
            if (index[j] >= part && index[j] < part + 16)
                array[index[j]]++;
}
