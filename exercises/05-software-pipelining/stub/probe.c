/* Exercise 5, second part: one of the two files to edit. It is right as it stands, and slow where the table
 * is larger than the caches: the search for the next key begins when the one for this key is over. */
#include "exercise.h"

uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t slot = first_slot(keys[i], mask);
        while (table[slot] != 0) {
            if (table[slot] == keys[i]) {
                sum += keys[i];
                break;
            }
            slot = (slot + 1) & mask;
        }
    }
    return sum;
}
