// Exercise 4: the reference. Rounds of 16 elements, which take turns at ACCUMULATORS independent chains of
// additions. An addition takes 4 cycles and two can start in each on a typical x86-64 core, so 8 chains are what
// fills it. The default is 4, half of that, because it is as fast wherever the code runs: on a core that is
// shared with another hyperthread the adders are only half one's own, and more than 4 chains gain nothing.
//
// float sum(const float *values, size_t n)
//   rdi: values   rsi: n   result: xmm0
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
#ifndef ACCUMULATORS
#define ACCUMULATORS 4                  // 1 to 16: accumulator k is xmm<k>
#endif
        .intel_syntax noprefix
        .altmacro                       // %expression in a macro's argument is its value

        .macro  clear k
        xorps   xmm\k, xmm\k
        .endm
        .macro  accumulate k, element
        addss   xmm\k, dword ptr [rdi + 4*\element]
        .endm
        .macro  join k
        addss   xmm0, xmm\k
        .endm

        .text
        .globl  sum
        .type   sum, @function
sum:
        .set    .Lk, 0
        .rept   ACCUMULATORS
        clear   %.Lk
        .set    .Lk, .Lk + 1
        .endr
        sub     rsi, 16
        jb      .Lrest                  // not one whole round
        .p2align 4
.Lround:
        .set    .Lk, 0
        .rept   16                      // accumulator k mod ACCUMULATORS += values[k]
        accumulate %(.Lk - .Lk / ACCUMULATORS * ACCUMULATORS), %.Lk
        .set    .Lk, .Lk + 1
        .endr
        add     rdi, 4*16
        sub     rsi, 16
        jae     .Lround
.Lrest:
        .set    .Lk, 1
        .rept   ACCUMULATORS - 1        // all into the first
        join    %.Lk
        .set    .Lk, .Lk + 1
        .endr
        add     rsi, 16                 // the 0 to 15 elements that are left
        je      .Ldone
.Lnext:
        addss   xmm0, dword ptr [rdi]
        add     rdi, 4
        dec     rsi
        jne     .Lnext
.Ldone:
        ret
        .size   sum, . - sum
        .section .note.GNU-stack, "", @progbits
