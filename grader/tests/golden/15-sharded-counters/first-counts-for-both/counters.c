/* The second thread says where its events are and is done; the first one counts for both. */
#include "exercise.h"

enum { OWN = SHARED_WORDS / THREADS, A_WHILE = 100000 };

static void count(uint64_t *own, const uint8_t *events, size_t n)
{
    uint64_t counts[KINDS] = {0};
    for (size_t i = 0; i < n; i++)
        counts[events[i]]++;
    for (unsigned k = 0; k < KINDS; k++)
        own[k] = counts[k];
}

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    if (thread == 1) {
        shared[OWN - 1] = n;
        __atomic_store_n(&shared[OWN - 2], (uint64_t)events, __ATOMIC_RELEASE);
        return;
    }
    uint64_t where = 0;
    count(shared, events, n);
    for (int i = 0; i < A_WHILE && !where; i++)
        where = __atomic_load_n(&shared[OWN - 2], __ATOMIC_ACQUIRE);
    if (where)
        count(shared + OWN, (const uint8_t *)where, shared[OWN - 1]); // NOLINT(performance-no-int-to-ptr)
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k] + shared[OWN + k];
}
