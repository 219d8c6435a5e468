/* On, but the cycle counter is not enabled. */
#include "exercise.h"
#include "isa.h"

void counter_enable(void)
{
#if CYCLELAB_PMU
    write_pmcr(1 << 0 | 1 << 2 | 1 << 6);
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
    return ticks;
}
