/* A fence before each reading, none behind it. */
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
    return read_counter();
}

uint64_t cycles_end(void)
{
    fence();
    return read_counter();
}
