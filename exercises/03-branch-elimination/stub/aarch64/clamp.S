// Exercise 3 in AArch64 assembly: edit this file or clamp.c, not both.
//
// void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
//   x0: values   x1: n   w2: lo   w3: hi; the upper halves of x2 and x3 are anything
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, %function
clamp:
        cbz     x1, .Ldone              // n == 0
        add     x1, x0, x1, lsl #2      // the end
        b       .Lnext
        .p2align 4
.Labove:
        str     w3, [x0]
.Lstep:
        add     x0, x0, #4
        cmp     x0, x1
        b.eq    .Ldone
.Lnext:
        ldr     w4, [x0]
        cmp     w4, w3
        b.gt    .Labove
        cmp     w4, w2
        b.ge    .Lstep
        str     w2, [x0]                // below lo
        add     x0, x0, #4
        cmp     x0, x1
        b.ne    .Lnext
.Ldone:
        ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", %progbits
