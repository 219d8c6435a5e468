/* A line of eight slots at a time, also where a table has 1, 2 or 4. */
#include "exercise.h"

enum { DISTANCE = 32, LINE = 8 };

static uint64_t lookup(const uint64_t *table, uint64_t mask, uint64_t key)
{
    uint64_t slot = first_slot(key, mask), at = slot % LINE;
    for (uint64_t line = slot - at;; line = (line + LINE) & mask, at = 0)
        for (; at < LINE; at++) {
            if (table[line + at] == key)
                return key;
            if (table[line + at] == 0)
                return 0;
        }
}

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    const size_t ahead = n < DISTANCE ? n : DISTANCE;
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < ahead; i++)
        __builtin_prefetch(&table[first_slot(keys[i], mask)]);
    for (i = 0; i < n; i++) {
        if (i + DISTANCE < n)
            __builtin_prefetch(&table[first_slot(keys[i + DISTANCE], mask)]);
        sum += lookup(table, mask, keys[i]);
    }
    return sum;
}
