/* The reference, but for numbers compared as signed ones. */
#include "exercise.h"

uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead)
{
    uint64_t least = n > 0 ? ticks[0] : 0;
    for (size_t i = 1; i < n; i++)
        if ((int64_t)ticks[i] < (int64_t)least)
            least = ticks[i];
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

/* Both blocks are equally long, and an add takes one cycle: so the ratio is in cycles, whatever the counter
 * counts. */
double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    uint64_t overhead = measure_overhead();
    uint64_t adds_ticks = measure_minimum(adds, argument, overhead);
    uint64_t nops_ticks = measure_minimum(nops, argument, overhead);
    return adds_ticks > 0 ? (double)nops_ticks / (double)adds_ticks : 0;
}
