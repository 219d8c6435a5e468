/* The counter is set back by what the fences take, before it is read. */
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
#if CYCLELAB_PMU
    __asm__ volatile("msr pmccntr_el0, %0\n\tisb" : : "r"(read_counter() - 16) : "memory");
#endif
    uint64_t ticks = read_counter();
    fence();
    return ticks;
}
