#include "exercise.h"

void walk_sequential(uint32_t *array, size_t n)
{
    for (size_t i = 0; i + 4 <= n; i += 4) {
        array[i]++;
        array[i + 1]++;
        array[i + 2]++;
        array[i + 3]++;
    }
}

void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[index[i]]++;
}
