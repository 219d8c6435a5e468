#include "exercise.h"

/* One table, and a lock for as long as a thread counts: the other one waits. */
void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    uint64_t *lock = &shared[SHARED_WORDS - 1];
    (void)thread;
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        ;
    for (size_t i = 0; i < n; i++)
        shared[events[i]]++;
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k];
}
