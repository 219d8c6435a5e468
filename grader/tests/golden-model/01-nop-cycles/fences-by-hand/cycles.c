/* Barriers and the reading in one piece of assembly each. */
#include "exercise.h"

#if defined __aarch64__ && CYCLELAB_PMU
#define READ "isb\n\tmrs %0, pmccntr_el0\n\tisb"
#elif defined __aarch64__
#define READ "isb\n\tmrs %0, cntvct_el0\n\tisb"
#else
#define READ "mfence\n\tlfence\n\trdtsc\n\tshl $32, %%rdx\n\tor %%rdx, %0\n\tlfence"
#endif

void counter_enable(void)
{
#if CYCLELAB_PMU
    uint64_t control = 0x45, which = UINT64_C(1) << 31;
    __asm__ volatile("msr pmcr_el0, %0\n\tmsr pmcntenset_el0, %1\n\tisb" : : "r"(control), "r"(which));
#endif
}

static inline uint64_t reading(void)
{
    uint64_t ticks;
#ifdef __aarch64__
    __asm__ volatile(READ : "=r"(ticks) : : "memory");
#else
    __asm__ volatile(READ : "=a"(ticks) : : "rdx", "memory");
#endif
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
