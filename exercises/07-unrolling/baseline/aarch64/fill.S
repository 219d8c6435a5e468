// Exercise 7: the baseline. One store an element, and a jump with its counting for each.
//
// void fill(uint32_t *values, size_t n, uint32_t value)
//   x0: values   x1: n   w2: value
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  fill
        .type   fill, %function
fill:
        cbz     x1, .Ldone              // n == 0
        .p2align 5                      // where a loop lies is exercise 11
.Lnext:
        str     w2, [x0]
        add     x0, x0, #4
        subs    x1, x1, #1
        b.ne    .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", %progbits
