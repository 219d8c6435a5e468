/* Random numbers are no random order. */
#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)random_below(&state, n);
}
