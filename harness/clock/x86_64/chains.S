/* Blocks of known length. Each takes its number of instructions in rdi, a multiple of 100, and clobbers rax, rcx
 * and the flags. Operands are registers: some cores do adds of constants at renaming, faster than one a cycle. */
    .text

/* void name(uint64_t count): runs `instruction` count times, 100 a turn. The loop's own two instructions wait
 * for nothing in the chain. */
    .macro chain name, instruction:vararg
    .globl \name
    .type \name, @function
    .p2align 6
\name:
    mov $3, %eax
    mov $5, %ecx
    sub $100, %rdi
    jb 2f
    .p2align 6
1:
    .rept 100
    \instruction
    .endr
    sub $100, %rdi
    jae 1b
2:
    ret
    .size \name, . - \name
    .endm

    chain clock_add_chain, add %rcx, %rax
    chain clock_multiply_chain, imul %rcx, %rax
    chain clock_xor_chain, xor %rcx, %rax
    chain clock_nops, nop

    .section .note.GNU-stack, "", @progbits
