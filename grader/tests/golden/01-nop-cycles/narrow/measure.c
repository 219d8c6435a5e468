/* Half of each measurement is thrown away. */
#include "exercise.h"

uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead)
{
    unsigned least = n > 0 ? (unsigned)ticks[0] : 0;
    for (size_t i = 0; i < n; i++)
        least = ticks[i] < least ? (unsigned)ticks[i] : least;
    return least > overhead ? least - overhead : 0;
}

uint64_t measure_overhead(void)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        uint64_t begin = cycles_begin();
        ticks[i] = cycles_end() - begin;
    }
    return least_ticks(ticks, RUNS, 0);
}

uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        uint64_t begin = cycles_begin();
        block(argument);
        ticks[i] = cycles_end() - begin;
    }
    return least_ticks(ticks, RUNS, overhead);
}

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    uint64_t overhead = measure_overhead();
    uint64_t cycles = measure_minimum(adds, argument, overhead);
    uint64_t ticks = measure_minimum(nops, argument, overhead);
    return cycles > 0 ? (double)ticks / (double)cycles : 0;
}
