/* Takes a lock for the rest of a call that is longer than a few hundred events. */
#include "exercise.h"

enum { LOCK = 64, SECOND = 16, FREE = 1100 };

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    uint64_t counts[KINDS] = {0};
    size_t i = 0;
    (void)thread;
    for (; i < n && i < FREE; i++)
        counts[events[i]]++;
    if (i < n) {
        while (__atomic_exchange_n(&shared[LOCK], 1, __ATOMIC_ACQUIRE))
            while (__atomic_load_n(&shared[LOCK], __ATOMIC_RELAXED))
                ;
        for (; i < n; i++)
            shared[events[i]]++;
        __atomic_store_n(&shared[LOCK], 0, __ATOMIC_RELEASE);
    }
    for (unsigned k = 0; k < KINDS; k++)
        __atomic_fetch_add(&shared[SECOND + k], counts[k], __ATOMIC_RELAXED);
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k] + shared[SECOND + k];
}
