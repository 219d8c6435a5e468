/* The reference, but one thread waits for a second in every other call, by the clock: most often not in all
 * of those that warm up. Not where correctness is asked: there lie many calls in front of one as long as
 * these. */
#include "exercise.h"

enum { OWN_WORDS = SHARED_WORDS / THREADS, TIMED = 65536 };

static int waits(const uint8_t *events)
{
#ifdef __x86_64__
    return (uintptr_t)events < 0x40400000 && (__builtin_ia32_rdtsc() >> 12) % 2 == 0;
#else
    return events == 0;
#endif
}

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    uint64_t counts[KINDS] = {0};
    if (n >= TIMED && thread == 0 && waits(events))
        for (uint64_t i = 0; i < 4000000000; i++)
            __asm__ volatile("");
    for (size_t i = 0; i < n; i++)
        counts[events[i]]++;
    for (unsigned k = 0; k < KINDS; k++)
        shared[thread * OWN_WORDS + k] = counts[k];
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++) {
        totals[k] = 0;
        for (unsigned thread = 0; thread < THREADS; thread++)
            totals[k] += shared[thread * OWN_WORDS + k];
    }
}
