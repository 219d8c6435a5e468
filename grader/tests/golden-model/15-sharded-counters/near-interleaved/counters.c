#include "exercise.h"

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    for (size_t i = 0; i < n; i++)
        shared[events[i] * THREADS + thread]++;
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k * THREADS] + shared[k * THREADS + 1];
}
