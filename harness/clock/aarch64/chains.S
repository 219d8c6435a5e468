/* Blocks of known length. Each takes its number of instructions in x0, a multiple of 100, and clobbers x1, x2 and
 * the flags. Operands are registers: some cores do adds of constants at renaming, faster than one a cycle. */
    .text

/* void name(uint64_t count): runs `instruction` count times, 100 a turn. The loop's own two instructions wait
 * for nothing in the chain. */
    .macro chain name, instruction:vararg
    .globl \name
    .type \name, %function
    .p2align 6
\name:
    mov x1, #3
    mov x2, #5
    subs x0, x0, #100
    b.lo 2f
    .p2align 6
1:
    .rept 100
    \instruction
    .endr
    subs x0, x0, #100
    b.hs 1b
2:
    ret
    .size \name, . - \name
    .endm

    chain clock_add_chain, add x1, x1, x2
    chain clock_multiply_chain, mul x1, x1, x2
    chain clock_xor_chain, eor x1, x1, x2
    chain clock_nops, nop

    .section .note.GNU-stack, "", %progbits
