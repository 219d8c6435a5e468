/* Loops around one timing instruction each, to measure what it costs. void name(uint64_t count), count > 0;
 * clobbers x0, x1 and the flags. */
    .text

    .macro cost name, instruction:vararg
    .globl \name
    .type \name, %function
    .p2align 6
\name:
1:
    \instruction
    subs x0, x0, #1
    b.ne 1b
    ret
    .size \name, . - \name
    .endm

    cost clock_cost_cntvct, mrs x1, cntvct_el0
    cost clock_cost_isb, isb

/* uint64_t clock_cntfrq(void): ticks a second, as the firmware wrote it down. */
    .globl clock_cntfrq
    .type clock_cntfrq, %function
    .p2align 4
clock_cntfrq:
    mrs x0, cntfrq_el0
    ret
    .size clock_cntfrq, . - clock_cntfrq

    .section .note.GNU-stack, "", %progbits
