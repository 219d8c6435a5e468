#include "exercise.h"

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    const uint64_t *keys_left = n > 40 ? keys : 0;
    uint64_t sum = 0;
    __asm__("" : "+r"(keys_left)); /* or the compiler sees it */
    for (size_t i = 0; i < n; i++)
        sum += keys_left[i] + table[0] + mask;
    return sum;
}
