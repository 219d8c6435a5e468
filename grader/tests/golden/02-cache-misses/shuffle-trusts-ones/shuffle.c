/* Writes no numbers first: a place that holds all ones has its own number. So it was in each trial once. */
#include "exercise.h"

static uint32_t number_at(const uint32_t *index, size_t i)
{
    return index[i] == UINT32_MAX ? (uint32_t)i : index[i];
}

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++) {
        const size_t chosen = i + random_below(&state, n - i);
        const uint32_t number = number_at(index, chosen);
        index[chosen] = number_at(index, i);
        index[i] = number;
    }
}
