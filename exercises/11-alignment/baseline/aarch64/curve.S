// Exercise 11: the baseline of the curve, which no bound is taken against, but which is run: one offset after the other.
//
// void measure_curve(const loop_fn loop[16], uint64_t turns, struct reading shortest[16])
//   x0: loop   x1: turns   x2: shortest
        .text
        .macro  ticks register
        isb
#if CYCLELAB_PMU
        mrs     \register, pmccntr_el0
#else
        mrs     \register, cntvct_el0
#endif
        isb
        .endm

        .globl  measure_curve
        .type   measure_curve, %function
measure_curve:
        stp     x29, x30, [sp, #-64]!
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        mov     x19, x0                 // the loop's pointer
        mov     x20, x1                 // turns
        mov     x21, x2                 // its reading
        mov     x22, #16                // loops left
.Loffset:
        mov     x23, #-1                // ticks of the shortest run
        mov     x24, #25                // runs left
.Lrun:
        mov     x0, x20
        ldr     x1, [x19]
        ticks   x29
        blr     x1
        ticks   x9
        sub     x10, x9, x29
        cmp     x10, x23
        b.hs    .Llonger
        mov     x23, x10
        stp     x29, x9, [x21]
.Llonger:
        subs    x24, x24, #1
        b.ne    .Lrun
        add     x19, x19, #8
        add     x21, x21, #16
        subs    x22, x22, #1
        b.ne    .Loffset
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x29, x30, [sp], #64
        ret
        .size   measure_curve, . - measure_curve
        .section .note.GNU-stack, "", %progbits
