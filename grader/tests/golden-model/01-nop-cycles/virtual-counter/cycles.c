/* Ticks of another clock. */
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
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
}

uint64_t cycles_end(void)
{
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
}
