/* Sixteen keys ahead, with a clamp of the index in the place of an epilogue. */
#include "exercise.h"

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t ahead = i + 16 < n ? i + 16 : n - 1;
        __builtin_prefetch(&table[first_slot(keys[ahead], mask)]);
        const uint64_t key = keys[i];
        for (uint64_t slot = first_slot(key, mask);; slot = (slot + 1) & mask) {
            const uint64_t at = table[slot];
            if (at == key)
                sum += key;
            if (at == key || at == 0)
                break;
        }
    }
    return sum;
}
