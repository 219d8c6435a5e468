// One round more than there are elements for.
//
// void fill(uint32_t *values, size_t n, uint32_t value)
//   x0: values   x1: n   w2: value
//   may change: x0-x17, v0-v7, v16-v31, flags
#ifndef UNROLL
#define UNROLL 8                        // 1 to 32 elements a round
#endif
        .text
        .globl  fill
        .type   fill, %function
fill:
        subs    x1, x1, #UNROLL
        b.lo    .Lrest                  // not one whole round
.Lround:
        .set    .Lk, 0
        .rept   UNROLL
        str     w2, [x0, #4*.Lk]
        .set    .Lk, .Lk + 1
        .endr
        add     x0, x0, #4*UNROLL
        subs    x1, x1, #UNROLL
        b.hs    .Lround
        cmn     x1, #1
        b.eq    .Lround
.Lrest:
        adds    x1, x1, #UNROLL         // the elements that are left
        b.eq    .Ldone
.Lnext:
        str     w2, [x0], #4
        subs    x1, x1, #1
        b.ne    .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", %progbits
