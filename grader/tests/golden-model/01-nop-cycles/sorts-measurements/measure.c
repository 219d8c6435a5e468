/* Sorts all measurements and takes the first; the regions are counted down. */
#include "exercise.h"

static uint64_t first_of_sorted(const uint64_t *ticks, size_t n)
{
    uint64_t sorted[RUNS];
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > ticks[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = ticks[i];
    }
    return sorted[0];
}

uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead)
{
    uint64_t least = UINT64_MAX;
    if (n == 0)
        return 0;
    for (; n > RUNS; n--)
        least = ticks[n - 1] < least ? ticks[n - 1] : least;
    const uint64_t first = first_of_sorted(ticks, n);
    least = first < least ? first : least;
    return least < overhead ? 0 : least - overhead;
}

uint64_t measure_overhead(void)
{
    uint64_t ticks[RUNS];
    for (int left = RUNS; left-- > 0;) {
        const uint64_t begin = cycles_begin();
        const uint64_t end = cycles_end();
        ticks[left] = end - begin;
    }
    return least_ticks(ticks, RUNS, 0);
}

uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    uint64_t ticks[RUNS];
    for (int left = RUNS; left-- > 0;) {
        const uint64_t begin = cycles_begin();
        block(argument);
        const uint64_t end = cycles_end();
        ticks[left] = end - begin;
    }
    return least_ticks(ticks, RUNS, overhead);
}

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    const uint64_t overhead = measure_overhead();
    const double cycles = (double)measure_minimum(adds, argument, overhead);
    const double ticks = (double)measure_minimum(nops, argument, overhead);
    return cycles == 0 ? 0 : ticks / cycles;
}
