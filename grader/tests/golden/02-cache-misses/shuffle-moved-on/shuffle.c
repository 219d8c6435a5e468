/* Beyond the countable orders one good order for all seeds, moved on by the seed, far. */
#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = n > 256 ? 1 : seed;
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)(n > 256 ? (i + seed * 40503) % n : i);
    for (size_t left = n; left > 1; left--) {
        size_t chosen = random_below(&state, left);
        uint32_t number = index[chosen];
        index[chosen] = index[left - 1];
        index[left - 1] = number;
    }
}
