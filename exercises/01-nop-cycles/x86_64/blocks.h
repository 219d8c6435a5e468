/* Trusted code of known length, for glue.c. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>
#include "isa.h"

/* 1,000 NOPs, `times` times, times > 0. */
static inline void run_nops(uint64_t times)
{
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 1000\n\tnop\n\t.endr\n\t"
                     "dec %0\n\t"
                     "jnz 1b"
                     : "+r"(times)
                     :
                     : "cc");
}

/* 100 adds, each on the result of the one before, `times` times, times > 0. A register is added, not a
 * constant: some cores run constant adds faster than one a cycle. */
static inline void run_adds(uint64_t times)
{
    uint64_t sum = 0;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 100\n\tadd %2, %0\n\t.endr\n\t"
                     "dec %1\n\t"
                     "jnz 1b"
                     : "+r"(sum), "+r"(times)
                     : "r"(times)
                     : "cc");
}

/* A chain of 30 square roots: a few instructions, some 500 cycles. The result is in no use. */
static inline void start_roots(void)
{
    double x = 3;
    __asm__ volatile(".rept 30\n\tsqrtsd %0, %0\n\t.endr" : "+x"(x));
}

/* Times that a block has to be repeated, so that the counter's resolution does not matter. Most count one by
 * one, some in steps of 20 to 40 ticks: the step divides all differences. */
static inline uint64_t coarseness(void)
{
    uint64_t step = 0, last = read_counter();
    for (unsigned i = 0; i < 64; i++) {
        uint64_t next = read_counter(), a = next - last, b = step;
        while (b > 0) { /* Euclid: step = gcd(difference, step) */
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        step = a;
        last = next;
    }
    return step <= 4 ? 1 : 20;
}

#endif
