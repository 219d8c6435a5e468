/* What the last hint says. */
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
    enum { PARTS = 32 };
    size_t end[PARTS] = {0};
    unsigned shift = 0;
    while (length > 0 && (length - 1) >> shift >= PARTS)
        shift++;
    for (size_t i = 0; i < n; i++)
        end[index[i] >> shift]++;
    for (size_t part = 0, before = 0; part < PARTS; part++) {
        size_t count = end[part];
        end[part] = before;
        before += count;
    }
    for (size_t i = 0; i < n; i++)
        scratch[end[index[i] >> shift]++] = index[i];
    for (size_t i = 0; i < n; i++)
        array[scratch[i]]++;
}
