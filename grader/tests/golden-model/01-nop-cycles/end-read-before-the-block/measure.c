/* The reference's, with readings of its own: cycles_begin and cycles_end are for the glue. */
#include "exercise.h"
#include "isa.h"

static inline uint64_t reading(void)
{
    fence();
    const uint64_t ticks = read_counter();
    fence();
    return ticks;
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
        const uint64_t begin = reading();
        ticks[i] = reading() - begin;
    }
    return least_ticks(ticks, RUNS, 0);
}

uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        const uint64_t begin = reading();
        block(argument);
        ticks[i] = reading() - begin;
    }
    return least_ticks(ticks, RUNS, overhead);
}

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    const uint64_t overhead = measure_overhead();
    const uint64_t adds_ticks = measure_minimum(adds, argument, overhead);
    const uint64_t nops_ticks = measure_minimum(nops, argument, overhead);
    return adds_ticks > 0 ? (double)nops_ticks / (double)adds_ticks : 0;
}
