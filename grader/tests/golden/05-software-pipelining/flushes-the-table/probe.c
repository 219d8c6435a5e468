/* As slow as the stub, and it throws what it has read of the table, which all share, out of the caches: the
 * baseline's next searches are to miss. */
#include "exercise.h"

static void flush(const uint64_t *line)
{
#ifdef __x86_64__
    __asm__ volatile("clflush %0" ::"m"(*line));
#else
    __asm__ volatile("dc civac, %0" ::"r"(line) : "memory");
#endif
}

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
        flush(&table[slot]);
        flush(&table[(slot + mask / 2) & mask]);
    }
    return sum;
}
