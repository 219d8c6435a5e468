// Exercise 5 in AArch64 assembly: edit this file or dot.c, not both.
//
// float dot(const float *a, const float *b, size_t n)
//   x0: a   x1: b   x2: n   result: s0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  dot
        .type   dot, %function
dot:
        movi    v0.2s, #0               // total = 0
        cbz     x2, .Ldone              // n == 0
        mov     x3, #0                  // i = 0
.Lnext:
        ldr     s1, [x0, x3, lsl #2]
        ldr     s2, [x1, x3, lsl #2]
        fmul    s1, s1, s2              // waits for both loads
        fadd    s0, s0, s1              // waits for the multiplication
        add     x3, x3, #1
        cmp     x3, x2
        b.ne    .Lnext
.Ldone:
        ret
        .size   dot, . - dot
        .section .note.GNU-stack, "", %progbits
