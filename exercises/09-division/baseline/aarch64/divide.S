// Exercise 9: the baseline, one division an element.
//
// void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
//   x0: quotients   x1: values   x2: n   w3: divisor
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  divide
        .type   divide, %function
divide:
        cbz     x2, .Ldone              // n == 0
        add     x2, x1, x2, lsl #2      // the end
.Lnext:
        ldr     w4, [x1], #4
        udiv    w4, w4, w3
        str     w4, [x0], #4
        cmp     x1, x2
        b.ne    .Lnext
.Ldone:
        ret
        .size   divide, . - divide
        .section .note.GNU-stack, "", %progbits
