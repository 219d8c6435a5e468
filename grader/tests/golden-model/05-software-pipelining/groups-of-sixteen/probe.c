/* Sixteen slots are asked for, then sixteen keys looked up. */
#include "exercise.h"

enum { GROUP = 16 };

static uint64_t found(const uint64_t *table, uint64_t mask, uint64_t key, uint64_t slot)
{
    while (table[slot] != key) {
        if (table[slot] == 0)
            return 0;
        slot = (slot + 1) & mask;
    }
    return key;
}

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    uint64_t slots[GROUP], sum = 0;
    while (n > 0) {
        const size_t group = n < GROUP ? n : GROUP;
        for (size_t i = 0; i < group; i++) {
            slots[i] = first_slot(keys[i], mask);
            __builtin_prefetch(&table[slots[i]]);
        }
        for (size_t i = 0; i < group; i++)
            sum += found(table, mask, keys[i], slots[i]);
        keys += group;
        n -= group;
    }
    return sum;
}
