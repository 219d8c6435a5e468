// Exercise 12: the baseline. One product and one addition a round, each addition waiting for the one before.
        .text

// float dot(const float *a, const float *b, size_t n)
//   x0: a   x1: b   x2: n   result: s0
        .globl  dot
        .type   dot, %function
        .p2align 6
dot:
        movi    v0.2s, #0
        cbz     x2, .Ldone
.Lnext:
        ldr     s1, [x0], #4
        ldr     s2, [x1], #4
        fmul    s1, s1, s2
        fadd    s0, s0, s1
        subs    x2, x2, #1
        b.ne    .Lnext
.Ldone:
        ret
        .size   dot, . - dot

// void products(float m[16], const float *a, const float *b, size_t n, bool fma)
//   x0: m   x1: a   x2: b   x3: n
        .globl  products
        .type   products, %function
        .p2align 6
products:
        mov     x4, #4                  // rows that are left
.Lrow:
        mov     x5, #4                  // columns that are left
        mov     x6, x2
.Lcolumn:
        mov     x7, x1
        mov     x8, x6
        mov     x9, x3
        movi    v0.2s, #0
        cbz     x9, .Lstore
.Lproduct:
        ldr     s1, [x7], #16
        ldr     s2, [x8], #16
        fmul    s1, s1, s2
        fadd    s0, s0, s1
        subs    x9, x9, #1
        b.ne    .Lproduct
.Lstore:
        str     s0, [x0], #4
        add     x6, x6, #4
        subs    x5, x5, #1
        b.ne    .Lcolumn
        add     x1, x1, #4
        subs    x4, x4, #1
        b.ne    .Lrow
        ret
        .size   products, . - products
        .section .note.GNU-stack, "", %progbits
