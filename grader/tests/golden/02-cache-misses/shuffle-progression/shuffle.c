/* Fair where orders can be counted or compared, and a progression with a random step and start where they
 * cannot. */
#include "exercise.h"

static size_t common(size_t a, size_t b)
{
    return b == 0 ? a : common(b, a % b);
}

void shuffle(uint32_t *index, size_t n, uint64_t seed)
{
    uint64_t state = seed;
    if (n > 999) {
        size_t step = 1 + random_below(&state, n - 1), at = random_below(&state, n);
        while (common(n, step) != 1)
            step = 1 + random_below(&state, n - 1);
        for (size_t i = 0; i < n; i++, at = (at + step) % n)
            index[i] = (uint32_t)at;
        return;
    }
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)i;
    for (size_t left = n; left > 1; left--) {
        size_t chosen = random_below(&state, left);
        uint32_t number = index[chosen];
        index[chosen] = index[left - 1];
        index[left - 1] = number;
    }
}
