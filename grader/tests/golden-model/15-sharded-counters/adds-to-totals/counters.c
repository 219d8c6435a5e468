#include "exercise.h"

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    for (size_t i = 0; i < n; i++)
        shared[thread * KINDS + events[i]]++;
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned i = 0; i < THREADS * KINDS; i++)
        totals[i % KINDS] += shared[i];
}
