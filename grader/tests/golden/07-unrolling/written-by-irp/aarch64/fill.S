// Eight stores, which .irp writes, as the last hint has it.
//
// void fill(uint32_t *values, size_t n, uint32_t value)
//   x0: values   x1: n   w2: value
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  fill
        .type   fill, %function
fill:
        subs    x1, x1, #8
        b.lo    .Lrest                  // not one whole round
        .p2align 5                      // where a loop lies is exercise 11
.Lround:
        .irp    at, 0, 4, 8, 12, 16, 20, 24, 28
        str     w2, [x0, #\at]
        .endr
        add     x0, x0, #32
        subs    x1, x1, #8
        b.hs    .Lround
.Lrest:
        adds    x1, x1, #8              // the elements that are left
        b.eq    .Ldone
.Lnext:
        str     w2, [x0], #4
        subs    x1, x1, #1
        b.ne    .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", %progbits
