/* Each number is put in as it comes: the inside-out form of the shuffle. */
#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        const size_t place = random_below(&seed, i + 1);
        if (place != i)
            index[i] = index[place];
        index[place] = (uint32_t)i;
    }
}
