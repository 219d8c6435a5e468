// Exercise 3 in x86-64 assembly, Intel syntax: edit this file or clamp.c, not both.
//
// void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
//   rdi: values   rsi: n   edx: lo   ecx: hi; the upper halves of rdx and rcx are anything
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, @function
clamp:
        test    rsi, rsi
        je      .Ldone                  // n == 0
        lea     rsi, [rdi + rsi*4]      // the end
        jmp     .Lnext
        .p2align 4
.Labove:
        mov     [rdi], ecx
.Lstep:
        add     rdi, 4
        cmp     rdi, rsi
        je      .Ldone
.Lnext:
        mov     eax, [rdi]
        cmp     eax, ecx
        jg      .Labove
        cmp     eax, edx
        jge     .Lstep
        mov     [rdi], edx              // below lo
        add     rdi, 4
        cmp     rdi, rsi
        jne     .Lnext
.Ldone:
        ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", @progbits
