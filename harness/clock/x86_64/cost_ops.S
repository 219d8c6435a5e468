/* Loops around one timing instruction each, to measure what it costs. void name(uint64_t count), count > 0;
 * clobbers rax, rcx, rdx, rdi and the flags. */
    .text

    .macro cost name, instruction:vararg
    .globl \name
    .type \name, @function
    .p2align 6
\name:
1:
    \instruction
    sub $1, %rdi
    jnz 1b
    ret
    .size \name, . - \name
    .endm

    cost clock_cost_rdtsc, rdtsc
    cost clock_cost_rdtscp, rdtscp
    cost clock_cost_lfence, lfence

/* CPUID also writes ebx, which belongs to the caller; its leaf is set anew each time. */
    .globl clock_cost_cpuid
    .type clock_cost_cpuid, @function
    .p2align 6
clock_cost_cpuid:
    push %rbx
1:
    xor %eax, %eax
    xor %ecx, %ecx
    cpuid
    sub $1, %rdi
    jnz 1b
    pop %rbx
    ret
    .size clock_cost_cpuid, . - clock_cost_cpuid

    .section .note.GNU-stack, "", @progbits
