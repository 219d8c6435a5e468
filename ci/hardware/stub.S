// Calls a kernel again and again: KERNEL(argument 0, argument 1, ...), ARGUMENTS of them, as a benchmark's loop does.
// With BATCH, as checkasm does: so many calls, and an ISB before and after them, where it reads the cycle counter.
// In: x0: struct call of drive.c: how often, then the arguments.
        .text
        .p2align 6
        .type   again, %function
again:  stp     x29, x30, [sp, #-32]!
        stp     x19, x20, [sp, #16]
        ldr     x19, [x0]
        add     x20, x0, #8
1:
#ifdef BATCH
        isb
        .rept   BATCH
#endif
#if ARGUMENTS > 6
        ldp     x6, x7, [x20, #48]
#endif
#if ARGUMENTS > 4
        ldp     x4, x5, [x20, #32]
#endif
#if ARGUMENTS > 2
        ldp     x2, x3, [x20, #16]
#endif
#if ARGUMENTS > 0
        ldp     x0, x1, [x20]
#endif
        bl      KERNEL
#ifdef BATCH
        .endr
        isb
#endif
        subs    x19, x19, #1
        b.ne    1b
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #32
        ret
        .size   again, . - again

        .section .rodata
        .global plan_entries, plan_entry_count
        .p2align 3
plan_entries:
        .quad   again
plan_entry_count:
        .word   1
