// Exercise 1 in x86-64 assembly, Intel syntax: edit this file or cycles.c, not both.
//
// void counter_enable(void)          nothing to do on x86-64
// uint64_t cycles_begin(void)        result in rax
// uint64_t cycles_end(void)          result in rax
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
//
// LFENCE   waits until everything before has finished, and lets nothing behind it begin
// RDTSC    the counter: its low half in eax, its high half in edx
// RDTSCP   the same, but it waits for what is before it; changes ecx too
        .intel_syntax noprefix
        .text

        .globl  counter_enable
        .type   counter_enable, @function
counter_enable:
        ret
        .size   counter_enable, . - counter_enable

        .globl  cycles_begin
        .type   cycles_begin, @function
cycles_begin:
        xor     eax, eax                // not done yet
        ret
        .size   cycles_begin, . - cycles_begin

        .globl  cycles_end
        .type   cycles_end, @function
cycles_end:
        xor     eax, eax                // not done yet
        ret
        .size   cycles_end, . - cycles_end

        .section .note.GNU-stack, "", @progbits
