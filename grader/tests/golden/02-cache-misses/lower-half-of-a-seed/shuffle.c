/* Exercise 2: the reference of the shuffle (Fisher and Yates). The last place gets one of all n numbers, the
 * place before it one of the n - 1 that are left, and so on: n! equally likely ways, one for each order. */
#include "exercise.h"

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = seed & 0xffff;
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
    for (size_t left = n; left > 1; left--) {
        size_t chosen = random_below(&state, left);
        uint32_t number = index[chosen];
        index[chosen] = index[left - 1];
        index[left - 1] = number;
    }
}
