// Exercise 4 in x86-64 assembly, Intel syntax: edit this file or sum.c, not both.
//
// float sum(const float *values, size_t n)
//   rdi: values   rsi: n   result: xmm0
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  sum
        .type   sum, @function
sum:
        xorps   xmm0, xmm0              // total = 0
        test    rsi, rsi
        je      .Ldone                  // n == 0
        lea     rsi, [rdi + rsi*4]      // the end
        .p2align 4
.Lnext:
        addss   xmm0, dword ptr [rdi]   // waits for the addition before
        add     rdi, 4
        cmp     rdi, rsi
        jne     .Lnext
.Ldone:
        ret
        .size   sum, . - sum
        .section .note.GNU-stack, "", @progbits
