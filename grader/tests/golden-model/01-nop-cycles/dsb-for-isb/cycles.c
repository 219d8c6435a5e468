/* DSB, which waits for accesses to memory alone, where an ISB belongs. */
#include "exercise.h"

void counter_enable(void)
{
    uint64_t control = 0x45, which = UINT64_C(1) << 31;
    __asm__ volatile("msr pmcr_el0, %0\n\tmsr pmcntenset_el0, %1\n\tisb" : : "r"(control), "r"(which));
}

static inline uint64_t reading(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb sy\n\tmrs %0, pmccntr_el0\n\tdsb sy" : "=r"(ticks) : : "memory");
    return ticks;
}

uint64_t cycles_begin(void)
{
    return reading();
}

uint64_t cycles_end(void)
{
    return reading();
}
