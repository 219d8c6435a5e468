/* One table under one lock, for all of a call: no line moves while they count, and the second thread does
 * nothing until the first is done. */
#include "exercise.h"

enum { LOCK = 64 };

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    (void)thread;
    while (__atomic_exchange_n(&shared[LOCK], 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(&shared[LOCK], __ATOMIC_RELAXED))
            ;
    for (size_t i = 0; i < n; i++)
        shared[events[i]]++;
    __atomic_store_n(&shared[LOCK], 0, __ATOMIC_RELEASE);
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k];
}
