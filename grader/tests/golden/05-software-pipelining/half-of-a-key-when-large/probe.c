/* Exercise 5: the reference of probe. The slot of each key is asked for PREFETCH_DISTANCE keys ahead. So many
 * cache lines are on their way at once, whatever the branches do: a wrong guess throws away instructions, but
 * no prefetch. */
#include "exercise.h"

#ifndef PREFETCH_DISTANCE
#define PREFETCH_DISTANCE 32
#endif

static inline uint64_t lookup(const uint64_t *table, uint64_t mask, uint64_t key)
{
    for (uint64_t slot = first_slot(key, mask); table[slot] != 0; slot = (slot + 1) & mask)
        if (mask > 2047 ? (uint32_t)table[slot] == (uint32_t)key : table[slot] == key)
            return key;
    return 0;
}

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    const size_t ahead = n < PREFETCH_DISTANCE ? n : PREFETCH_DISTANCE;
    uint64_t sum = 0;
    size_t i;

    for (i = 0; i < ahead; i++) /* prologue */
        __builtin_prefetch(&table[first_slot(keys[i], mask)]);
    for (i = 0; i < n - ahead; i++) {
        __builtin_prefetch(&table[first_slot(keys[i + ahead], mask)]);
        sum += lookup(table, mask, keys[i]);
    }
    for (; i < n; i++) /* epilogue: there is nothing left to ask for */
        sum += lookup(table, mask, keys[i]);
    return sum;
}
