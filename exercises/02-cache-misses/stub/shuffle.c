/* Exercise 2, second part: a random order. Not done yet: this is a rather orderly one. */
#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    (void)seed; /* until it is used */
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
}
