// The runner's start, system calls, and the call that watches callee-saved registers. AArch64, AAPCS64.
#define TARGET_STACK_TOP 0x7d100000
#define FPCR_CONTROL     0x07f79f00     // rounding, flush to zero, default NaN, traps: not flags

        .text

        .globl  _start
        .type   _start, %function
_start: mov     x29, xzr
        mov     x30, xzr
        ldr     x0, [sp]                // how many arguments,
        add     x1, sp, #8              // and where they are
        bl      runner_prepare
        mov     x1, #(TARGET_STACK_TOP - 4096) & 0xffff
        movk    x1, #(TARGET_STACK_TOP - 4096) >> 16, lsl #16
        mov     sp, x1                  // some room above, for whoever reads past its frame
        bl      runner_loop
        udf     #0
        .size   _start, . - _start

// long target_syscall(long number, long a, long b, long c, long d, long e, long f)
        .globl  target_syscall
        .type   target_syscall, %function
target_syscall:
        mov     x8, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x5, x6
        svc     #0
        ret
        .size   target_syscall, . - target_syscall

// void target_stop(long self): kill(self, SIGSTOP)
        .globl  target_stop, target_stopped
        .type   target_stop, %function
target_stop:
        mov     x8, #129
        mov     x1, #19
        svc     #0
target_stopped:
        ret
        .size   target_stop, . - target_stop

        .globl  target_pause
        .type   target_pause, %function
target_pause:
        yield
        ret
        .size   target_pause, . - target_pause

        .globl  target_signal_return
        .type   target_signal_return, %function
target_signal_return:
        mov     x8, #139                // rt_sigreturn
        svc     #0
        .size   target_signal_return, . - target_signal_return

// uint32_t target_call(plan_entry entry, const void *args, void *result)
// Mask: x19-x28, x29 (bits 0-10), d8-d15 (11-18), FPCR (19).
        .globl  target_call
        .type   target_call, %function
target_call:
        stp     x29, x30, [sp, #-176]!
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        msr     fpcr, xzr
        mov     x9, x0
        mov     x0, x1
        mov     x1, x2
        .irp    r, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
        mov     x\r, #0x5a00 + \r
        .endr
        .irp    r, 8, 9, 10, 11, 12, 13, 14, 15
        mov     x10, #0x5b00 + \r
        fmov    d\r, x10
        .endr
        blr     x9
        mov     w0, wzr
        .irp    r, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
        mov     x10, #0x5a00 + \r
        cmp     x\r, x10
        cset    w11, ne
        orr     w0, w0, w11, lsl #(\r - 19)
        .endr
        .irp    r, 8, 9, 10, 11, 12, 13, 14, 15
        mov     x10, #0x5b00 + \r
        fmov    x12, d\r
        cmp     x12, x10
        cset    w11, ne
        orr     w0, w0, w11, lsl #(\r + 3)
        .endr
        mrs     x10, fpcr
        ldr     w11, =FPCR_CONTROL
        tst     w10, w11
        cset    w11, ne
        orr     w0, w0, w11, lsl #19
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        ldp     x29, x30, [sp], #176
        ret
        .size   target_call, . - target_call
        .section .note.GNU-stack, "", %progbits
