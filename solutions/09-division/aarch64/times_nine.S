// Exercise 9: the reference. 9x + value is 8x + (x + value): the shift and the first addition need only x, and so overlap.
// (ADD with a shifted register does both in one instruction, which takes some cores two cycles.)
//
// uint64_t times_nine(const uint64_t *values, size_t n)
//   x0: values   x1: n   result: x0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  times_nine
        .type   times_nine, %function
times_nine:
        mov     x2, #0                  // x = 0
        cbz     x1, .Ldone              // n == 0
        add     x1, x0, x1, lsl #3      // the end
.Lnext:
        ldr     x3, [x0], #8
        lsl     x4, x2, #3              // 8x
        add     x3, x2, x3              // x + value, meanwhile
        add     x2, x3, x4              // 9x + value
        cmp     x0, x1
        b.ne    .Lnext
.Ldone:
        mov     x0, x2
        ret
        .size   times_nine, . - times_nine
        .section .note.GNU-stack, "", %progbits
