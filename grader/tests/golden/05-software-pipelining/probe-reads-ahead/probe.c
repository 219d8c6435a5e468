/* Asks for the slots of keys that are not there. */
#include "exercise.h"

static inline uint64_t lookup(const uint64_t *table, uint64_t mask, uint64_t key)
{
    for (uint64_t slot = first_slot(key, mask); table[slot] != 0; slot = (slot + 1) & mask)
        if (table[slot] == key)
            return key;
    return 0;
}

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {

        __builtin_prefetch(&table[first_slot(keys[i + 16], mask)]);
        sum += lookup(table, mask, keys[i]);
    }
    return sum;
}
