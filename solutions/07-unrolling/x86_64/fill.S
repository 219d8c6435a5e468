// Exercise 7: the reference. UNROLL stores for one addition, one subtraction and one jump.
//
// void fill(uint32_t *values, size_t n, uint32_t value)
//   rdi: values   rsi: n   edx: value
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
#ifndef UNROLL
#define UNROLL 8                        // 1 to 32 elements a round
#endif
        .intel_syntax noprefix
        .text
        .globl  fill
        .type   fill, @function
fill:
        sub     rsi, UNROLL
        jb      .Lrest                  // not one whole round
        .p2align 4
.Lround:
        .set    .Lk, 0
        .rept   UNROLL
        mov     [rdi + 4*.Lk], edx
        .set    .Lk, .Lk + 1
        .endr
        add     rdi, 4*UNROLL
        sub     rsi, UNROLL
        jae     .Lround
.Lrest:
        add     rsi, UNROLL             // the elements that are left
        je      .Ldone
.Lnext:
        mov     [rdi], edx
        add     rdi, 4
        dec     rsi
        jne     .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", @progbits
