// Exercise 4 in AArch64 assembly: edit this file or sum.c, not both.
//
// float sum(const float *values, size_t n)
//   x0: values   x1: n   result: s0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  sum
        .type   sum, %function
sum:
        movi    v0.2s, #0               // total = 0
        cbz     x1, .Ldone              // n == 0
        add     x1, x0, x1, lsl #2      // the end
.Lnext:
        ldr     s1, [x0], #4
        fadd    s0, s0, s1              // waits for the addition before
        cmp     x0, x1
        b.ne    .Lnext
.Ldone:
        ret
        .size   sum, . - sum
        .section .note.GNU-stack, "", %progbits
