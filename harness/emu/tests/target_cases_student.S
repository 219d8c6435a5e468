// Student code for test_emulator.c: void case(const struct target_args *x0, struct target_result *x1,
// target_callback x2).
#include "harness/emu/tests/target_cases.h"
        .arch   armv8.2-a+lse+sve+crypto
        .text

        .macro  case name
        .p2align 2
        .type   \name, %function
\name:
        .endm

// ---- well-behaved ----

case nothing
        ret

case sum
        ldp     x3, x4, [x0]
        mov     x5, #0
        cbz     x4, 2f
        .globl  target_sum_loop
target_sum_loop:
1:      ldrsw   x6, [x3], #4
        add     x5, x5, x6
        subs    x4, x4, #1
        b.ne    1b
2:      str     x5, [x1]
        ret

case calls_back
        stp     x29, x30, [sp, #-32]!
        str     x1, [sp, #16]
        ldr     x0, [x0, #16]
        str     x2, [sp, #24]
        blr     x2
        ldr     x2, [sp, #24]
        blr     x2
        ldr     x1, [sp, #16]
        str     x0, [x1]
        ldp     x29, x30, [sp], #32
        ret

// What is in registers that are none of its arguments: all ORed, at the start in `value`, behind a call of the
// glue's in room[1], with the value that it gives in room[0]; those that it has to bring back in `more`.
case looks_for_secrets
        stp     x29, x30, [sp, #-32]!
        str     x1, [sp, #16]
        mov     x4, #0
        bl      2f
        str     x4, [x1]
        mov     x4, #0
        .irp    n, 19,20,21,22,23,24,25,26,27,28
        orr     x4, x4, x\n
        .endr
        .irp    n, 8,9,10,11,12,13,14,15
        umov    x3, v\n\().d[0]
        orr     x4, x4, x3
        .endr
        str     x4, [x1, #8]
        mov     x0, #0
        blr     x2
        .irp    n, 1,2,3,5,6,7
        orr     x4, x4, x\n
        .endr
        .irp    n, 0,1,2,3,4,5,6,7
        umov    x3, v\n\().d[0]
        orr     x4, x4, x3
        umov    x3, v\n\().d[1]
        orr     x4, x4, x3
        .endr
        bl      2f
        ldr     x1, [sp, #16]
        stp     x0, x4, [x1, #24]
        ldp     x29, x30, [sp], #32
        ret
2:      .irp    n, 8,9,10,11,12,13,14,15,16,17,18
        orr     x4, x4, x\n
        .endr
        .irp    n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        umov    x3, v\n\().d[0]
        orr     x4, x4, x3
        .endr
        .irp    n, 8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        umov    x3, v\n\().d[1]
        orr     x4, x4, x3
        .endr
        ret

case calls_memset
        stp     x29, x30, [sp, #-16]!
        add     x0, x1, #32
        mov     w1, #0x5a
        mov     x2, #40
        bl      memset
        ldp     x29, x30, [sp], #16
        ret

// Every kind of access, again and again: whole and split over pages, pairs, structures, exclusives that
// fail and do not, prefetches; divisions, one by zero too; conditional moves, calls, a jump through a register.
case mixed
        stp     x29, x30, [sp, #-32]!
        stp     x19, x20, [sp, #16]
        mov     x19, #80
        mov     x20, x1
        ldr     x3, [x0]
1:      prfm    pldl1keep, [x3, #64]
        prfm    pldl1keep, [x3, x19, lsl #3]
        prfm    pldl1keep, [x3, w19, sxtw]
        prfum   pldl1keep, [x3, #-7]
        prfm    pldl1keep, here
        ldp     x5, x6, [x3]
        ldp     q0, q1, [x3]
        ld1     {v2.16b, v3.16b, v4.16b, v5.16b}, [x3]
        ld4     {v2.4s, v3.4s, v4.4s, v5.4s}, [x3]
        ldr     x7, [x3], #4
        ldr     q6, [sp], #0
        ldr     x7, here
        sub     x9, sp, #4096
        and     x9, x9, #~4095
        str     x5, [x9, #-4]
        ldr     x8, [x9, #-3]
        str     q0, [x9, #-8]
        ldr     q0, [x9, #-9]
        stp     x5, x6, [x20, #32]
        st2     {v0.4s, v1.4s}, [x9]
        add     x10, x20, #64
        stxr    w11, x5, [x10]
        ldxr    x5, [x10]
        add     x16, x9, x19
        dc      zva, x16
        ldr     x16, [x16]
        add     x5, x5, #1
        stxr    w11, x5, [x10]
        ldaxp   x5, x6, [x10]
        stlxp   w11, x5, x6, [x10]
        cmp     x19, #50
        csel    x12, x5, x6, lt
        udiv    x14, x9, x19
        sdiv    w14, w12, w5
        sdiv    x14, x14, x19
        neg     x15, x19
        sdiv    x14, x9, x15
        sdiv    w14, w15, w19
        udiv    w14, w9, w14
        udiv    x14, xzr, x14
        udiv    x14, x9, x14
        ccmp    x12, x5, #0, ne
        tbz     x19, #0, 2f
        bl      3f
2:      adr     x13, 4f
        br      x13
3:      ret
        udf     #1
4:      subs    x19, x19, #1
        b.ne    1b
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #32
        ret
        .p2align 3
here:   .xword  0x0123456789abcdef

// Longer than any block that an emulator makes at once, over pages, entered in its middle.
case long_block
        mov     x3, #5
        mov     x4, #0
        ldr     x6, [x0, #16]
1:      add     x4, x4, #1
        .rept   700
        add     x4, x4, #1
        .endr
2:      add     x4, x4, x6
        .rept   700
        add     x4, x4, #2
        .endr
        str     x4, [x1]
        subs    x3, x3, #1
        b.eq    3f
        tbnz    x3, #0, 1b
        b       2b
3:      ret

// A branch on each bit of a random number.
case random_branches
        mov     x3, #9000
        mov     x4, #0x2545
        movk    x4, #0x9e37, lsl #32
        mov     x5, #0
1:      eor     x4, x4, x4, lsl #13
        eor     x4, x4, x4, lsr #7
        eor     x4, x4, x4, lsl #17
        tbz     x4, #5, 2f
        add     x5, x5, #1
        tbz     x4, #6, 2f
        add     x5, x5, #2
        b       3f
2:      cbz     x4, 3f
        sub     x5, x5, #1
3:      subs    x3, x3, #1
        b.ne    1b
        str     x5, [x1]
        ret

// Branches to where they would go anyway, and to themselves.
case next_is_target
        cmp     x0, #0
        b.ne    1f
1:      b       2f
2:      mov     x3, #3
3:      subs    x3, x3, #1
        b.ne    3b
        mov     x4, x30
        bl      4f
4:      mov     x30, x4
        ret

case leaves_state
        mov     x3, #1
        msr     pmcr_el0, x3
        msr     tpidr_el0, x3
        msr     fpsr, x3
        str     x3, [sp, #-256]
        mov     x17, #7
        fmov    d31, #1.0
        cmp     x3, #1
        ret

case finds_state
        mrs     x4, nzcv
        mrs     x3, pmcr_el0
        and     x3, x3, #1
        mrs     x5, tpidr_el0
        mrs     x6, fpsr
        fmov    x7, d31
        orr     x3, x3, x4
        orr     x3, x3, x5
        orr     x3, x3, x6
        orr     x3, x3, x7
        orr     x3, x3, x17
        str     x3, [x1]
        ret

        .macro  counter_on
        mov     x3, #0x45
        msr     pmcr_el0, x3
        mov     x3, #1 << 31
        msr     pmcntenset_el0, x3
        .endm

// 1,000 dependent adds.
case times_adds
        counter_on
        isb
        mrs     x3, pmccntr_el0
        .rept   1000
        add     x4, x4, x5
        .endr
        isb
        mrs     x6, pmccntr_el0
        sub     x6, x6, x3
        str     x6, [x1]
        ret

case times_without_isb
        counter_on
        isb
        mrs     x3, pmccntr_el0
        fmov    d0, #1.5
        .rept   30
        fsqrt   d0, d0
        .endr
        mrs     x6, pmccntr_el0
        sub     x6, x6, x3
        str     x6, [x1]
        isb
        mrs     x6, pmccntr_el0
        sub     x6, x6, x3
        str     x6, [x1, #8]
        ret

// Instructions retired on counter 2, by its selection; writes to PMSWINC on counter 0.
case counts_events
        mov     x3, #1
        msr     pmcr_el0, x3
        mov     x3, #2
        msr     pmselr_el0, x3
        mov     x3, #8
        msr     pmxevtyper_el0, x3
        msr     pmevtyper0_el0, xzr
        mov     x3, #5
        msr     pmcntenset_el0, x3
        isb
        mrs     x4, pmxevcntr_el0
        .rept   50
        nop
        .endr
        isb
        mrs     x5, pmevcntr2_el0
        sub     x5, x5, x4
        str     x5, [x1]
        mov     x3, #1
        msr     pmswinc_el0, x3
        msr     pmswinc_el0, x3
        mrs     x5, pmevcntr0_el0
        str     x5, [x1, #8]
        mov     x3, #77                 // a counter that Unicorn 2.0 does not have
        msr     pmevtyper5_el0, x3
        msr     pmevcntr5_el0, x3
        mrs     x4, pmevcntr5_el0
        mrs     x5, pmevtyper5_el0
        add     x4, x4, x5
        str     x4, [x1, #24]
        ret

case identifies
        mrs     x3, midr_el1
        mrs     x4, ctr_el0
        mrs     x5, dczid_el0
        mrs     xzr, cntvct_el0
        stp     x3, x4, [x1]
        str     x5, [x1, #32]
        ret

// ---- not so ----

case reads_beyond
        ldp     x3, x4, [x0]
        ldr     w5, [x3, x4, lsl #2]
        ret

case writes_argument
        str     x0, [x0, #8]
        ret

case writes_code
        adr     x3, writes_code
        str     w3, [x3]
        ret

case reads_plan
        mov     x3, #0x40000000
        ldr     x3, [x3]
        ret

case writes_status
        mov     x3, #0x40020000
        str     w3, [x3]
        ret

case jumps_to_null
        mov     x30, #0
        ret

case jumps_to_data
        br      x1

case jumps_to_constants
        adrp    x3, target_cases
        add     x3, x3, :lo12:target_cases
        br      x3

case generates_code
        mov     w3, #0x03c0             // ret
        movk    w3, #0xd65f, lsl #16
        str     w3, [x1]
        dsb     ish
        isb
        br      x1

case recurses
        stp     x29, x30, [sp, #-496]!
        bl      recurses
        ldp     x29, x30, [sp], #496
        ret

case makes_syscall
        mov     x8, #94
        svc     #0
        ret

case masks_interrupts
        msr     daifset, #2
        ret

case waits
        wfi
        ret

case breaks
        brk     #1000

case is_vector_length_agnostic
        ptrue   p0.b
        ret

case is_undefined
        .inst   0x00c0ffee
        ret

case is_untranslatable
        nop
        .inst   0x2e793aae
        ret

case adds_atomically
        mov     x3, #5
        ldadd   x3, x4, [x1]
        ldadd   x3, x4, [x1]
        ret

// An exclusive access has to be aligned.
case loads_askew
        add     x3, x1, #1
        ldxr    x4, [x3]
        ret

// SP may be anything while nobody goes through it.
case moves_stack_by_eight
        sub     sp, sp, #24
        mov     x3, sp
        str     x3, [x3]
        prfm    pldl1keep, [sp]
        tbz     x3, #3, 1f
        sub     sp, sp, #8
1:      ldp     x4, x5, [sp], #16
        ldr     x4, [sp], #16
        sub     x5, x5, x3
        str     x5, [x1]
        ret

case stores_on_odd_stack
        mov     x3, #8
        sub     sp, sp, x3
        cbz     x3, 1f
        nop
        str     x3, [sp]
1:      add     sp, sp, x3
        ret

case pushes_eight
        str     x30, [sp, #-8]!
        ldr     x30, [sp], #8
        ret

// Five rounds, whose two instructions are a pair, and five in which they are not.
case encrypts
        counter_on
        .irp    apart, 0, 1
        isb
        mrs     x3, pmccntr_el0
        .rept   5
        aese    v0.16b, v1.16b
        .if     \apart
        nop
        .endif
        aesmc   v0.16b, v0.16b
        .if     !\apart
        nop
        .endif
        .endr
        isb
        mrs     x6, pmccntr_el0
        sub     x6, x6, x3
        str     x6, [x1], #8
        .endr
        ret

case enters_runner
        b       target_syscall

case enters_runner_middle
        adrp    x3, target_syscall
        add     x3, x3, :lo12:target_syscall
        add     x3, x3, #8
        br      x3

case enters_glue
        add     x3, x30, #4
        br      x3

case enters_function_of_glue
        add     x2, x2, #4
        br      x2

// To the start of a function of the glue, which returns to where it was not called.
case returns_into_glue
        add     x30, x2, #4
        br      x2

// By a function of the glue.
case clobbers_and_returns_by_glue
        mov     x21, #1
        br      x2

// call_tail, which nobody is handed; and the padding in front of it.
case enters_entry
        adrp    x3, plan_entries
        add     x3, x3, :lo12:plan_entries
        ldr     x3, [x3, #8]
        br      x3

case falls_into_entry
        adrp    x3, plan_entries
        add     x3, x3, :lo12:plan_entries
        ldr     x3, [x3, #8]
        sub     x3, x3, #4
        br      x3

case goes_to_the_end
        mov     x3, #0x7f000000
        br      x3

case spins
        b       .

case spins_without_end
        ldr     x3, [x1]
        add     x3, x3, #1
        str     x3, [x1]
        b       spins_without_end

case clobbers_x21
        mov     x21, #1
        ret

case clobbers_d9
        fmov    d9, #1.0
        ret

case clears_x21
        mov     x21, #0
        ret

case clears_d9
        movi    d9, #0
        ret

case moves_sp
        sub     sp, sp, #16
        ret

case flushes_to_zero
        mov     x3, #1 << 24
        msr     fpcr, x3
        ret

        .section .rodata
        .p2align 3
        .globl  target_cases
target_cases:
#define ENTRY(name) .xword name;
        CASES(ENTRY)

// The last instruction of all, with nothing behind it.
        .text
        .p2align 2
        .type   runs_off, %function
runs_off:
        nop
        .section .note.GNU-stack, "", %progbits
