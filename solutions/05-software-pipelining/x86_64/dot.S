// Exercise 5: the reference of dot. While element i is added, i + 1 is multiplied and i + 2 loaded. A core
// that runs instructions out of order does this by itself, so here it only must not cost anything.
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
        mov     eax, 2                  // the element to load
        cmp     rdx, 2
        jb      .Llast                  // n == 1
        movss   xmm2, dword ptr [rdi + 4]
        movss   xmm3, dword ptr [rsi + 4] // xmm2, xmm3: element i + 1
        je      .Ltwo                   // n == 2
        .p2align 4
.Lnext:
        addss   xmm0, xmm1              // element i
        movaps  xmm1, xmm2
        mulss   xmm1, xmm3              // element i + 1
        movss   xmm2, dword ptr [rdi + rax*4]
        movss   xmm3, dword ptr [rsi + rax*4] // element i + 2
        inc     rax
        cmp     rax, rdx
        jne     .Lnext
.Ltwo:
        addss   xmm0, xmm1
        movaps  xmm1, xmm2
        mulss   xmm1, xmm3
.Llast:
        addss   xmm0, xmm1
.Ldone:
        ret
        .size   dot, . - dot
        .section .note.GNU-stack, "", @progbits
