/* Each thread begins when the other one is there. */
#include "exercise.h"

enum { OWN = SHARED_WORDS / THREADS, FLAG = OWN / 2 };

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    uint64_t counts[KINDS] = {0};
    __atomic_store_n(&shared[thread * OWN + FLAG], 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&shared[(1 - thread) * OWN + FLAG], __ATOMIC_ACQUIRE))
        ;
    for (size_t i = 0; i < n; i++)
        counts[events[i]]++;
    for (unsigned k = 0; k < KINDS; k++)
        shared[thread * OWN + k] = counts[k];
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k] + shared[OWN + k];
}
