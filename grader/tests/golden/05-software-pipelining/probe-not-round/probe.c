/* Goes on behind the last slot. */
#include "exercise.h"

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t slot = first_slot(keys[i], mask);
        while (table[slot] != 0 && table[slot] != keys[i])
            slot++;
        sum += table[slot];
    }
    return sum;
}
