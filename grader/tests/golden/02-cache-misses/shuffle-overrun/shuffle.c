#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
    for (size_t left = n; left > 0; left--) {
        size_t chosen = random_below(&state, left + 1);
        uint32_t number = index[chosen];
        index[chosen] = index[left];
        index[left] = number;
    }
}
