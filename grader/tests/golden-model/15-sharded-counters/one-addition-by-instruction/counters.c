#include "exercise.h"

/* Counted on the stack, then added to one table by the atomic instruction of Armv8.1. */
void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    uint64_t counts[KINDS] = {0};
    (void)thread;
    for (size_t i = 0; i < n; i++)
        counts[events[i]]++;
    for (unsigned k = 0; k < KINDS; k++)
        __asm__ volatile(".arch_extension lse\n\tstadd %1, %0" : "+Q"(shared[k]) : "r"(counts[k]));
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k];
}
