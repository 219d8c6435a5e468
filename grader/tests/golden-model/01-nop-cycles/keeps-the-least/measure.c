/* No array: the least so far is kept, and the overhead is a block that does nothing. */
#include "exercise.h"

uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead)
{
    if (n == 0)
        return 0;
    const uint64_t *least = ticks;
    while (--n > 0)
        if (*++ticks < *least)
            least = ticks;
    return *least > overhead ? *least - overhead : 0;
}

static uint64_t least_of_runs(block_fn block, void *argument)
{
    uint64_t least = UINT64_MAX;
    for (unsigned run = 0; run != RUNS; run++) {
        const uint64_t begin = cycles_begin();
        if (block)
            block(argument);
        const uint64_t ticks = cycles_end() - begin;
        if (ticks < least)
            least = ticks;
    }
    return least;
}

uint64_t measure_overhead(void)
{
    return least_of_runs(0, 0);
}

uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    const uint64_t least = least_of_runs(block, argument);
    return least_ticks(&least, 1, overhead);
}

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    const uint64_t overhead = measure_overhead();
    const uint64_t part = measure_minimum(nops, argument, overhead);
    const uint64_t whole = measure_minimum(adds, argument, overhead);
    if (whole == 0)
        return 0;
    return (double)part / (double)whole;
}
