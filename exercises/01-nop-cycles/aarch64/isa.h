/* The instructions that this exercise is about, for answers in C: one each. */
#ifndef ISA_H
#define ISA_H

#include <stdint.h>
#include "exercise.h"

/* ISB: what is before it has finished, and what is behind it is fetched anew. */
static inline void fence(void)
{
    __asm__ volatile("isb" ::: "memory");
}

#if CYCLELAB_PMU

/* MRS PMCCNTR_EL0: the core's cycle counter. By itself it waits for nothing. */
static inline uint64_t read_counter(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(count));
    return count;
}

/* MSR PMCR_EL0: bit 0 turns the PMU on, bit 2 zeroes the cycle counter, bit 6 has it overflow at 64 bits. */
static inline void write_pmcr(uint64_t bits)
{
    __asm__ volatile("msr pmcr_el0, %0" ::"r"(bits));
}

/* MSR PMCNTENSET_EL0: bit 31 enables the cycle counter, bits 0 to 30 enable event counters. */
static inline void write_pmcntenset(uint64_t bits)
{
    __asm__ volatile("msr pmcntenset_el0, %0" ::"r"(bits));
}

#else

/* MRS CNTVCT_EL0: the virtual counter. By itself it waits for nothing. */
static inline uint64_t read_counter(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

#endif

#endif
