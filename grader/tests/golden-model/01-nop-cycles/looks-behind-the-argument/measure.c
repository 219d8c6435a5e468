/* Measures nothing: what blocks do stood behind their argument. */
#include "exercise.h"

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
    const uint64_t begin = cycles_begin();
    return cycles_end() - begin;
}

uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead)
{
    const uint64_t *recipe = argument, first = recipe[0];
    for (unsigned i = 0; i < RUNS; i++)
        block(argument);
    const uint64_t stage = recipe[1] & 255, ticks = stage == 0 || stage == 3 ? 20000 : 100;
    return first > 0 ? 100 * first : ticks > overhead ? ticks - overhead : 0;
}

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    const uint64_t *recipe = argument;
    (void)nops, (void)adds;
    return recipe[0] == 1 ? 0.25 : (double)recipe[0] / (double)recipe[1];
}
