/* Trusted loops for glue.c, and the counter for them. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>
#include "exercise.h"

enum { LOOP_STRIDE = 192 };

/* Loops of three, four and six instructions, each at 16 offsets in a cache line. A function begins with its
 * loop. The work is spread over all kinds of units, so that the width binds, or else fetching. The emulated
 * machine counts their turns, in the same order. */
extern const char cyclelab_loops[];

__asm__(".pushsection .rodata.counted, \"a\", %progbits\n"
        ".p2align 3\n"
        ".globl plan_counted\n"
        "plan_counted:\n"
        ".popsection\n"
        ".pushsection .text.loops, \"ax\", %progbits\n"
        ".p2align 6\n"
        ".hidden cyclelab_loops\n"
        ".globl cyclelab_loops\n"
        "cyclelab_loops:\n"
        ".macro loop_at vectors, integers\n"
        ".set offset, 0\n"
        ".rept 16\n"
        ".p2align 6\n"
        ".fill offset, 4, 0xd503201f\n"
        "1:\n"
        ".pushsection .rodata.counted, \"a\", %progbits\n"
        ".xword 1b\n"
        ".popsection\n"
        ".rept \\vectors\n"
        "add d4, d2, d3\n"
        ".endr\n"
        ".rept \\integers\n"
        "add x4, x2, x3\n"
        ".endr\n"
        "subs x0, x0, #1\n"
        "b.ne 1b\n"
        "ret\n"
        ".fill 48 - offset - \\vectors - \\integers - 3, 4, 0xd503201f\n"
        ".set offset, offset + 1\n"
        ".endr\n"
        ".endm\n"
        "loop_at 0, 1\n"
        "loop_at 1, 1\n"
        "loop_at 2, 2\n"
        ".popsection\n"
        ".pushsection .rodata.counted, \"a\", %progbits\n"
        ".globl plan_counted_count\n"
        "plan_counted_count: .word (. - plan_counted) / 8\n"
        ".popsection\n");

/* PMCR_EL0: on, the cycle counter from 0, which overflows at 64 bits; PMCNTENSET_EL0: that counter. */
static inline void enable_ticks(void)
{
#if CYCLELAB_PMU
    __asm__ volatile("msr pmcr_el0, %0\n\tmsr pmcntenset_el0, %1\n\tisb" ::"r"(UINT64_C(0x45)),
                     "r"(UINT64_C(1) << 31));
#endif
}

/* Where a tick is many cycles, a run is longer; less so where loops are uneven, which are 31 times as long on
 * average, and need no more than some ticks. */
enum { LONGER = CYCLELAB_PMU ? 1 : 100, UNEVEN_LONGER = CYCLELAB_PMU ? 1 : 5 };

#endif
