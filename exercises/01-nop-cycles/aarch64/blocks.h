/* Trusted code of known length, for glue.c. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>
#include "exercise.h"

/* 1,000 NOPs, `times` times, times > 0. */
static inline void run_nops(uint64_t times)
{
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 1000\n\tnop\n\t.endr\n\t"
                     "subs %0, %0, #1\n\t"
                     "b.ne 1b"
                     : "+r"(times)
                     :
                     : "cc");
}

/* 100 adds, each on the result of the one before, `times` times, times > 0. */
static inline void run_adds(uint64_t times)
{
    uint64_t sum = 0;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 100\n\tadd %0, %0, %2\n\t.endr\n\t"
                     "subs %1, %1, #1\n\t"
                     "b.ne 1b"
                     : "+r"(sum), "+r"(times)
                     : "r"(times)
                     : "cc");
}

/* A chain of 30 square roots: a few instructions, some 500 cycles. The result is in no use. */
static inline void start_roots(void)
{
    double x = 3;
    __asm__ volatile(".rept 30\n\tfsqrt %d0, %d0\n\t.endr" : "+w"(x));
}

/* Times that a block has to be repeated, so that the counter's resolution does not matter. CNTVCT_EL0 runs at
 * 1 GHz on cores from Armv8.6 on, before that at some 10 to 100 MHz. */
static inline uint64_t coarseness(void)
{
    if (CYCLELAB_PMU)
        return 1;
    uint64_t frequency;
    __asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
    return frequency >= 500 * 1000 * 1000 ? 1 : 50;
}

#endif
