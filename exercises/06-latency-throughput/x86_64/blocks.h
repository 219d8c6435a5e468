/* Trusted code of drawn length, for glue.c. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>

/* A hundred additions, each on the result of the one before, `times` times, times > 0. */
static inline void run_adds(uint64_t times)
{
    uint64_t x = 0;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 100\n\tadd %1, %0\n\t.endr\n\t"
                     "dec %1\n\t"
                     "jne 1b"
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
                     ".rept 10\n\timul %0, %0\n\t.endr\n\t"
                     "dec %1\n\t"
                     "jne 1b"
                     : "+r"(x), "+r"(times)
                     :
                     : "cc");
}

static inline void run_roots(uint64_t times)
{
    double x = 3;
    __asm__ volatile(".p2align 6\n"
                     "1:\n\t"
                     ".rept 10\n\tsqrtsd %0, %0\n\t.endr\n\t"
                     "dec %1\n\t"
                     "jne 1b"
                     : "+x"(x), "+r"(times)
                     :
                     : "cc");
}

static inline void enable_ticks(void)
{
}

#endif
