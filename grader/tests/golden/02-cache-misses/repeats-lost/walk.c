/* Four at once: a number that comes twice among them counts once. */
#include "exercise.h"

void walk_sequential(uint32_t *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[i]++;
}

void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint32_t value[4];
        for (size_t j = 0; j < 4; j++)
            value[j] = array[index[i + j]];
        for (size_t j = 0; j < 4; j++)
            array[index[i + j]] = value[j] + 1;
    }
    for (; i < n; i++)
        array[index[i]]++;
}
