/* While one group of eight is looked up, the next is asked for: a ring of slots. */
#include "exercise.h"

enum { AHEAD = 24 };

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    uint64_t ring[AHEAD], sum = 0;
    for (size_t i = 0; i < n + AHEAD; i++) {
        const size_t place = i % AHEAD;
        if (i >= AHEAD) {
            const uint64_t key = keys[i - AHEAD];
            uint64_t slot = ring[place];
            while (table[slot] != 0 && table[slot] != key)
                slot = (slot + 1) & mask;
            sum += table[slot];
        }
        if (i < n) {
            ring[place] = first_slot(keys[i], mask);
            __builtin_prefetch(table + ring[place], 0, 3);
        }
    }
    return sum;
}
