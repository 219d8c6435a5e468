/* Trusted code of drawn length, for glue.c. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>
#include "exercise.h"

/* A hundred additions, each on the result of the one before, `times` times, times > 0. */
static inline void run_adds(uint64_t times)
{
    uint64_t x = 0;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 100\n\tadd %0, %0, %1\n\t.endr\n\t"
                     "subs %1, %1, #1\n\t"
                     "b.ne 1b"
                     : "+r"(x), "+r"(times)
                     :
                     : "cc");
}

/* Ten of a kind, in the same way. */
static inline void run_multiplies(uint64_t times)
{
    uint64_t x = 1;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 10\n\tmul %0, %0, %0\n\t.endr\n\t"
                     "subs %1, %1, #1\n\t"
                     "b.ne 1b"
                     : "+r"(x), "+r"(times)
                     :
                     : "cc");
}

static inline void run_roots(uint64_t times)
{
    double x = 3;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 10\n\tfsqrt %d0, %d0\n\t.endr\n\t"
                     "subs %1, %1, #1\n\t"
                     "b.ne 1b"
                     : "+w"(x), "+r"(times)
                     :
                     : "cc");
}

/* PMCR_EL0: on, the cycle counter from 0, which overflows at 64 bits; PMCNTENSET_EL0: that counter. */
static inline void enable_ticks(void)
{
#if CYCLELAB_PMU
    __asm__ volatile("msr pmcr_el0, %0\n\tmsr pmcntenset_el0, %1\n\tisb" ::"r"(UINT64_C(0x45)),
                     "r"(UINT64_C(1) << 31));
#endif
}

#endif
