// Exercise 4: the reference. Rounds of 8 elements, which take turns at ACCUMULATORS independent chains of
// additions. An addition takes 2 to 4 cycles and two can start in each: 4 to 8 chains keep a core busy. All
// loads of a round come before its additions, so that an in-order core does not wait for each load either.
//
// float sum(const float *values, size_t n)
//   x0: values   x1: n   result: s0
//   may change: x0-x17, v0-v7, v16-v31, flags
#ifndef ACCUMULATORS
#define ACCUMULATORS 8                  // 1 to 8: accumulator k is s<16 + k>
#endif
        .altmacro                       // %expression in a macro's argument is its value

        .macro  clear r
        movi    v\r\().2s, #0
        .endm
        .macro  fetch k, offset
        ldr     s\k, [x0, #\offset]
        .endm
        .macro  accumulate r, k
        fadd    s\r, s\r, s\k
        .endm

        .text
        .globl  sum
        .type   sum, %function
sum:
        .set    .Lk, 0
        .rept   ACCUMULATORS
        clear   %(16 + .Lk)
        .set    .Lk, .Lk + 1
        .endr
        subs    x1, x1, #8
        b.lo    .Lrest                  // not one whole round
.Lround:
        .set    .Lk, 0
        .rept   8
        fetch   %.Lk, %(4 * .Lk)
        .set    .Lk, .Lk + 1
        .endr
        .set    .Lk, 0
        .rept   8                       // accumulator k mod ACCUMULATORS += values[k]
        accumulate %(16 + .Lk - .Lk / ACCUMULATORS * ACCUMULATORS), %.Lk
        .set    .Lk, .Lk + 1
        .endr
        add     x0, x0, #4*8
        subs    x1, x1, #8
        b.hs    .Lround
.Lrest:
        .set    .Lk, 1
        .rept   ACCUMULATORS - 1        // all into the first
        accumulate 16, %(16 + .Lk)
        .set    .Lk, .Lk + 1
        .endr
        adds    x1, x1, #8              // the 0 to 7 elements that are left
        b.eq    .Ldone
.Lnext:
        ldr     s0, [x0], #4
        fadd    s16, s16, s0
        subs    x1, x1, #1
        b.ne    .Lnext
.Ldone:
        fmov    s0, s16
        ret
        .size   sum, . - sum
        .section .note.GNU-stack, "", %progbits
