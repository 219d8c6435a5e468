// Exercise 9: the baseline. A multiplication and an addition an element, each waiting for the one before.
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
        mov     x4, #9
.Lnext:
        ldr     x3, [x0], #8
        mul     x2, x2, x4              // waits for the x before
        add     x2, x2, x3              // waits for the multiplication
        cmp     x0, x1
        b.ne    .Lnext
.Ldone:
        mov     x0, x2
        ret
        .size   times_nine, . - times_nine
        .section .note.GNU-stack, "", %progbits
