// Exercise 4: the reference for `make sweep`, where up to 16 accumulators are tried. Rounds of 16 elements, in two
// halves: eight loads, then their additions.
//
// float sum(const float *values, size_t n)
//   x0: values   x1: n   result: s0
//   may change: x0-x17, v0-v7, v16-v31, flags
#ifndef ACCUMULATORS
#define ACCUMULATORS 16                 // 1 to 16: accumulator k is s<16 + k>
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

        .macro  half first              // elements first ... first + 7
        .set    .Lk, 0
        .rept   8
        fetch   %.Lk, %(4 * (\first + .Lk))
        .set    .Lk, .Lk + 1
        .endr
        .set    .Lk, 0
        .rept   8                       // accumulator (first + k) mod ACCUMULATORS += values[first + k]
        accumulate %(16 + \first + .Lk - (\first + .Lk) / ACCUMULATORS * ACCUMULATORS), %.Lk
        .set    .Lk, .Lk + 1
        .endr
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
        subs    x1, x1, #16
        b.lo    .Lrest                  // not one whole round
.Lround:
        half    0
        half    8
        add     x0, x0, #4*16
        subs    x1, x1, #16
        b.hs    .Lround
.Lrest:
        .set    .Lk, 1
        .rept   ACCUMULATORS - 1        // all into the first
        accumulate 16, %(16 + .Lk)
        .set    .Lk, .Lk + 1
        .endr
        adds    x1, x1, #16             // the 0 to 15 elements that are left
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
