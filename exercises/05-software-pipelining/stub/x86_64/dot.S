// Exercise 5 in x86-64 assembly, Intel syntax: edit this file or dot.c, not both.
//
// float dot(const float *a, const float *b, size_t n)
//   rdi: a   rsi: b   rdx: n   result: xmm0
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  dot
        .type   dot, @function
dot:
        xorps   xmm0, xmm0              // total = 0
        xor     eax, eax                // i = 0
        test    rdx, rdx
        je      .Ldone                  // n == 0
        .p2align 4
.Lnext:
        movss   xmm1, dword ptr [rdi + rax*4]
        mulss   xmm1, dword ptr [rsi + rax*4]
        addss   xmm0, xmm1
        inc     rax
        cmp     rax, rdx
        jne     .Lnext
.Ldone:
        ret
        .size   dot, . - dot
        .section .note.GNU-stack, "", @progbits
