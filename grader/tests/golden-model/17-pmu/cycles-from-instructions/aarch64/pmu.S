// Exercise 17: where the cycle counter is young, instructions stand for it: on an in-order core they are often nearly as many.
        .text

// void pmu_open(const uint16_t *events, size_t n), at EL1
//   x0: events   x1: n
        .globl  pmu_open
        .type   pmu_open, %function
pmu_open:
        msr     pmcr_el0, xzr                   // nothing counts while it is set up
        mov     x2, #-1
        msr     pmcntenclr_el0, x2
        msr     pmintenclr_el1, x2
        msr     pmovsclr_el0, x2
        mov     x2, #0xc
        msr     pmuserenr_el0, x2               // CR, ER
        mov     x3, #0x80000000                 // not at EL1
        msr     pmccfiltr_el0, x3
        mov     x4, #0
        b       2f
1:      msr     pmselr_el0, x4
        isb                                     // the selection counts for what follows
        ldrh    w5, [x0, x4, lsl #1]
        orr     x5, x5, x3
        msr     pmxevtyper_el0, x5
        add     x4, x4, #1
2:      cmp     x4, x1
        b.ne    1b
        mov     x5, #1
        lsl     x5, x5, x1
        sub     x5, x5, #1                      // a bit for each counter
        msr     pmintenset_el1, x5
        orr     x5, x5, #0x80000000             // and the cycle counter
        msr     pmcntenset_el0, x5
        mov     x2, #0x47                       // E, P, C, LC
        msr     pmcr_el0, x2
        isb
        ret
        .size   pmu_open, . - pmu_open

// void pmu_reset(void), at EL1
        .globl  pmu_reset
        .type   pmu_reset, %function
pmu_reset:
        mrs     x0, pmcr_el0
        orr     x0, x0, #6                      // P, C
        msr     pmcr_el0, x0
        mov     x0, #-1
        msr     pmovsclr_el0, x0
        isb
        ret
        .size   pmu_reset, . - pmu_reset

// void pmu_overflow(uint64_t *high), at EL1
//   x0: high
        .globl  pmu_overflow
        .type   pmu_overflow, %function
pmu_overflow:
        mrs     x1, pmovsclr_el0
        mrs     x2, pmintenset_el1
        and     x1, x1, x2                      // those that interrupt
        msr     pmovsclr_el0, x1                // and no other
1:      tbz     x1, #0, 2f
        ldr     x3, [x0]
        add     x3, x3, #1
        str     x3, [x0]
2:      add     x0, x0, #8
        lsr     x1, x1, #1
        cbnz    x1, 1b
        isb
        ret
        .size   pmu_overflow, . - pmu_overflow

// void pmu_read(uint64_t *values, size_t n), at EL0. Where the cycle counter is young the largest of the others, which
// is that of the instructions, stands for it.
        .globl  pmu_read
        .type   pmu_read, %function
pmu_read:
        mov     x2, #0
        mov     x4, #0
        b       2f
1:      msr     pmselr_el0, x2
        isb
        mrs     x3, pmxevcntr_el0
        str     x3, [x0], #8
        cmp     x3, x4
        b.lo    3f
        mov     x4, x3
        mov     x5, x2
3:      add     x2, x2, #1
2:      cmp     x2, x1
        b.ne    1b
        isb
        mrs     x3, pmccntr_el0
        lsr     x6, x3, #40
        cbnz    x6, 4f
        cbz     x1, 4f
        msr     pmselr_el0, x5
        isb
        mrs     x3, pmxevcntr_el0
4:      str     x3, [x0]
        ret
        .size   pmu_read, . - pmu_read
        .section .note.GNU-stack, "", %progbits
