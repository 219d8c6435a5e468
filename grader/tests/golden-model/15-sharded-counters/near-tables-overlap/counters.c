#include "exercise.h"

/* A second table that begins in the middle of the first. */
enum { OWN = KINDS / THREADS };

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    for (size_t i = 0; i < n; i++)
        __atomic_fetch_add(&shared[thread * OWN + events[i]], 1, __ATOMIC_RELAXED);
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k] + shared[OWN + k];
}
