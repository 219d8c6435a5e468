/* The remainder of 16 bits: with more than some thousand numbers left, the small ones come more often. */
#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
    for (size_t left = n; left > 1; left--) {
        size_t chosen = random_below(&state, 70000) % left;
        uint32_t number = index[chosen];
        index[chosen] = index[left - 1];
        index[left - 1] = number;
    }
}
