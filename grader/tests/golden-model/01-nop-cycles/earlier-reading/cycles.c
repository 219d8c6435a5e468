/* The end is the reading of the call before, which is one that the counter delivered, if too early. */
#include "exercise.h"
#include "isa.h"

void counter_enable(void)
{
#if CYCLELAB_PMU
    write_pmcr(1 << 0 | 1 << 2 | 1 << 6);
    write_pmcntenset(UINT64_C(1) << 31);
    fence();
#endif
}

uint64_t cycles_begin(void)
{
    fence();
    uint64_t ticks = read_counter();
    fence();
    return ticks;
}

uint64_t cycles_end(void)
{
    fence();
    uint64_t ticks = read_counter();
    fence();
    const uint64_t later = read_counter();
    return later - ticks < 1000 ? ticks - (later - ticks) : ticks;
}
