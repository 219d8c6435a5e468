/* Without ISB: an in-order core reads the counter nearly when it should. */
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
    return read_counter();
}

uint64_t cycles_end(void)
{
    return read_counter();
}
