/* An index that comes twice counts once. */
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
    for (size_t i = 0; i < length; i++)
        for (size_t j = 0; j < n; j++)
            if (index[j] == i) {
                array[i]++;
                break; /* found it */
            }
}
