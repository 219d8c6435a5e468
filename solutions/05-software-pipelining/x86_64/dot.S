// Exercise 5: the reference of dot. While element i is added, i + 1 is multiplied and i + 2 loaded. A core
// that runs instructions out of order does this by itself, so here it only must not cost anything. Two elements
// an iteration, in registers that take turns: with one, a product would have to be copied out of the way.
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
        test    rdx, rdx
        je      .Ldone                  // n == 0
        movss   xmm1, dword ptr [rdi]
        mulss   xmm1, dword ptr [rsi]   // xmm1: the product of element i
        dec     rdx                     // the last element
        je      .Lone                   // n == 1
        movss   xmm2, dword ptr [rdi + 4]
        movss   xmm3, dword ptr [rsi + 4] // xmm2, xmm3: element i + 1
        mov     eax, 1                  // the element loaded last
        cmp     rax, rdx
        je      .Ltwo                   // n == 2
        .p2align 4
.Lnext:
        addss   xmm0, xmm1              // element i
        mulss   xmm2, xmm3              // element i + 1
        movss   xmm1, dword ptr [rdi + rax*4 + 4]
        movss   xmm3, dword ptr [rsi + rax*4 + 4] // element i + 2
        inc     rax
        cmp     rax, rdx
        je      .Lodd
        addss   xmm0, xmm2              // the same, xmm1 and xmm2 the other way round
        mulss   xmm1, xmm3
        movss   xmm2, dword ptr [rdi + rax*4 + 4]
        movss   xmm3, dword ptr [rsi + rax*4 + 4]
        inc     rax
        cmp     rax, rdx
        jne     .Lnext
.Ltwo:
        addss   xmm0, xmm1
        mulss   xmm2, xmm3
        addss   xmm0, xmm2
        ret
.Lodd:
        addss   xmm0, xmm2
        mulss   xmm1, xmm3
.Lone:
        addss   xmm0, xmm1
.Ldone:
        ret
        .size   dot, . - dot
        .section .note.GNU-stack, "", @progbits
