// Exercise 12: the baseline. One product and one addition a round, each addition waiting for the one before.
        .intel_syntax noprefix
        .text

// float dot(const float *a, const float *b, size_t n)
//   rdi: a   rsi: b   rdx: n   result: xmm0
        .globl  dot
        .type   dot, @function
        .p2align 6
dot:
        xorps   xmm0, xmm0
        test    rdx, rdx
        je      .Ldone
        xor     eax, eax
.Lnext:
        movss   xmm1, dword ptr [rdi + 4*rax]
        mulss   xmm1, dword ptr [rsi + 4*rax]
        addss   xmm0, xmm1
        inc     rax
        cmp     rax, rdx
        jne     .Lnext
.Ldone:
        ret
        .size   dot, . - dot

// void products(float m[16], const float *a, const float *b, size_t n, bool fma)
//   rdi: m   rsi: a   rdx: b   rcx: n
        .globl  products
        .type   products, @function
        .p2align 6
products:
        shl     rcx, 4                  // the length of a and b, in bytes
        xor     r8d, r8d                // 4 * r
.Lrow:
        xor     r9d, r9d                // 4 * c
.Lcolumn:
        lea     r10, [rsi + r8]
        lea     r11, [rdx + r9]
        xorps   xmm0, xmm0
        xor     eax, eax
        test    rcx, rcx
        je      .Lstore
        .p2align 4
.Lproduct:
        movss   xmm1, dword ptr [r10 + rax]
        mulss   xmm1, dword ptr [r11 + rax]
        addss   xmm0, xmm1
        add     rax, 16
        cmp     rax, rcx
        jne     .Lproduct
.Lstore:
        movss   dword ptr [rdi], xmm0
        add     rdi, 4
        add     r9d, 4
        cmp     r9d, 16
        jne     .Lcolumn
        add     r8d, 4
        cmp     r8d, 16
        jne     .Lrow
        ret
        .size   products, . - products
        .section .note.GNU-stack, "", @progbits
