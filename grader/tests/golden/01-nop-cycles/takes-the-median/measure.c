/* Takes the median of the runs. */
#include "exercise.h"

static uint64_t median(uint64_t *ticks)
{
    for (size_t i = 1; i < RUNS; i++)
        for (size_t j = i; j > 0 && ticks[j] < ticks[j - 1]; j--) {
            const uint64_t t = ticks[j];
            ticks[j] = ticks[j - 1];
            ticks[j - 1] = t;
        }
    return ticks[RUNS / 2];
}

uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead)
{
    uint64_t least = n > 0 ? ticks[0] : 0;
    for (size_t i = 1; i < n; i++)
        if (ticks[i] < least)
            least = ticks[i];
    return least > overhead ? least - overhead : 0;
}

uint64_t measure_overhead(void)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        const uint64_t begin = cycles_begin();
        ticks[i] = cycles_end() - begin;
    }
    return median(ticks);
}

uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        const uint64_t begin = cycles_begin();
        block(argument);
        ticks[i] = cycles_end() - begin;
    }
    const uint64_t m = median(ticks);
    return m > overhead ? m - overhead : 0;
}

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    const uint64_t overhead = measure_overhead();
    const uint64_t a = measure_minimum(adds, argument, overhead),
                   n = measure_minimum(nops, argument, overhead);
    return a > 0 ? (double)n / (double)a : 0;
}
