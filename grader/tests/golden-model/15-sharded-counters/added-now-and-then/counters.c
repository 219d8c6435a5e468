#include "exercise.h"

/* One table for all, to which a thread adds what it has counted in some thousand events: a reader is never
 * far behind. */
enum { OFTEN = 2048 };

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    (void)thread;
    for (size_t from = 0; from < n; from += OFTEN) {
        const size_t end = n - from < OFTEN ? n : from + OFTEN;
        uint64_t counts[KINDS] = {0};
        for (size_t i = from; i < end; i++)
            counts[events[i]]++;
        for (unsigned k = 0; k < KINDS; k++)
            __atomic_fetch_add(&shared[k], counts[k], __ATOMIC_RELAXED);
    }
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k];
}
