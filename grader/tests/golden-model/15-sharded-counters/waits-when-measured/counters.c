/* A thread waits for the other one where the counter counts something else than instructions. */
#include "exercise.h"

enum { FLAG = 32, APART = 64, TIMED = 8192 };

static int is_measured(void)
{
    uint64_t before, after, x = 3;
    __asm__ volatile("mrs\t%0, cntvct_el0\n\t"
                     ".rept 16\n\tmul\t%2, %2, %2\n\t.endr\n\t"
                     "isb\n\t"
                     "mrs\t%1, cntvct_el0"
                     : "=&r"(before), "=&r"(after), "+r"(x));
    return after - before != 18;
}

void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    const int waits = n == TIMED && is_measured();
    uint64_t *counts = shared + (waits ? 0 : APART * thread); /* one table, one thread after the other */
    if (waits && thread == 1)
        while (__atomic_load_n(&shared[FLAG], __ATOMIC_ACQUIRE) == 0)
            ;
    for (size_t i = 0; i < n; i++)
        counts[events[i]]++;
    if (waits && thread == 0)
        __atomic_store_n(&shared[FLAG], 1, __ATOMIC_RELEASE);
}

void add_up(uint64_t totals[KINDS], const uint64_t *shared)
{
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = shared[k] + shared[APART + k];
}
