/* A thread waits for the other one where that one's stores come by time, and not by instructions: no counter
 * tells. */
#include "exercise.h"

enum { APART = 64, FLAG = 40, MODE = 48, CLOCK = 120, LAST = 4000, TIMED = 8192 };

/* A few instructions, and a long time. */
static void spend(void)
{
    uint64_t x = ~UINT64_C(0), one = 1;
    __asm__ volatile(".rept 64\n\tudiv\t%0, %0, %1\n\t.endr" : "+r"(x) : "r"(one));
}

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    volatile uint64_t *words = shared;
    uint64_t *counts = shared + APART * thread;
    int waits = 0;
    if (n == TIMED && thread == 1)
        for (uint64_t k = 1; k <= LAST; k++)
            words[CLOCK] = k;
    if (n == TIMED && thread == 0) {
        const uint64_t before = words[CLOCK];
        spend();
        const uint64_t after = words[CLOCK];
        waits = after - before > 200 && after < LAST;
        if (waits)
            words[MODE] = 1;
    }
    if (n == TIMED && thread == 1)
        waits = words[MODE] == 1;
    if (waits) {
        counts = shared; /* one table, one thread after the other */
        if (thread == 1)
            while (words[FLAG] == 0)
                ;
    }
    for (size_t i = 0; i < n; i++)
        counts[events[i]]++;
    if (waits && thread == 0)
        words[FLAG] = 1;
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k] + shared[APART + k];
}
