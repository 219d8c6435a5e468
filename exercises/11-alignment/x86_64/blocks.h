/* Trusted loops for glue.c. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>
#include "exercise.h"

enum { LOOP_STRIDE = 192 };

/* Loops of 8, 14 and 20 bytes (two, four and six instructions), each at 16 offsets in a cache line. A
 * function begins with its loop. */
extern const char cyclelab_loops[];

__asm__(".pushsection .text.loops, \"ax\", @progbits\n"
        ".p2align 6\n"
        ".hidden cyclelab_loops\n"
        ".globl cyclelab_loops\n"
        "cyclelab_loops:\n"
        ".macro loop_at extra\n"
        ".set offset, 0\n"
        ".rept 16\n"
        "2: .fill 4 * offset, 1, 0x90\n"
        "1:\n"
        ".rept \\extra\n"
        "lea (%rsi, %rdx), %rax\n"
        ".endr\n"
        "lea 1(%rsi), %rcx\n"
        "dec %rdi\n"
        "jne 1b\n"
        "ret\n"
        ".fill 192 - (. - 2b), 1, 0x90\n"
        ".set offset, offset + 1\n"
        ".endr\n"
        ".endm\n"
        "loop_at 0\n"
        "loop_at 1\n"
        "loop_at 3\n"
        ".popsection\n");

static inline void enable_ticks(void)
{
}

/* A tick is about a cycle. */
enum { LONGER = 1, UNEVEN_LONGER = 1 };

#endif
