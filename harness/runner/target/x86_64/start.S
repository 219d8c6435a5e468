// The runner's start, system calls, and the call that watches callee-saved registers. x86-64, System V.
#define TARGET_STACK_TOP 0x7d100000
#define MXCSR_DEFAULT    0x1f80         // all exceptions masked, round to nearest, no flush to zero
#define MXCSR_FLAGS      0x003f         // sticky exception flags: any function may set them

        .intel_syntax noprefix
        .text

        .globl  _start
        .type   _start, @function
_start: xor     ebp, ebp
        mov     rdi, [rsp]              // how many arguments,
        lea     rsi, [rsp + 8]          // and where they are
        and     rsp, -64
        call    runner_prepare
        mov     edi, eax
        mov     esp, TARGET_STACK_TOP - 4096    // some room above, for whoever reads past its frame
        call    runner_loop
        ud2
        .size   _start, . - _start

// long target_syscall(long number, long a, long b, long c, long d, long e, long f)
        .globl  target_syscall
        .type   target_syscall, @function
target_syscall:
        mov     rax, rdi
        mov     rdi, rsi
        mov     rsi, rdx
        mov     rdx, rcx
        mov     r10, r8
        mov     r8, r9
        mov     r9, [rsp + 8]
        syscall
        ret
        .size   target_syscall, . - target_syscall

// void target_stop(long self): kill(self, SIGSTOP)
        .globl  target_stop, target_stopped
        .type   target_stop, @function
target_stop:
        mov     eax, 62
        mov     esi, 19
        syscall
target_stopped:
        ret
        .size   target_stop, . - target_stop

        .globl  target_pause
        .type   target_pause, @function
target_pause:
        pause
        ret
        .size   target_pause, . - target_pause

        .globl  target_signal_return
        .type   target_signal_return, @function
target_signal_return:
        mov     eax, 15                 // rt_sigreturn
        syscall
        .size   target_signal_return, . - target_signal_return

// uint32_t target_call(plan_entry entry, const void *args, void *result)
// Mask: rbx rbp r12 r13 r14 r15, the direction flag, MXCSR's control bits.
        .globl  target_call
        .type   target_call, @function
target_call:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        sub     rsp, 8
        mov     dword ptr [rsp], MXCSR_DEFAULT
        ldmxcsr [rsp]
        mov     rax, rdi
        mov     rdi, rsi
        mov     rsi, rdx
        mov     ebx, 0x5a5a0001
        mov     ebp, 0x5a5a0002
        mov     r12d, 0x5a5a0003
        mov     r13d, 0x5a5a0004
        mov     r14d, 0x5a5a0005
        mov     r15d, 0x5a5a0006
        call    rax
        xor     eax, eax
        cmp     rbx, 0x5a5a0001
        setne   al
        .macro  compare register, value, bit
        xor     ecx, ecx
        cmp     \register, \value
        setne   cl
        shl     ecx, \bit
        or      eax, ecx
        .endm
        compare rbp, 0x5a5a0002, 1
        compare r12, 0x5a5a0003, 2
        compare r13, 0x5a5a0004, 3
        compare r14, 0x5a5a0005, 4
        compare r15, 0x5a5a0006, 5
        pushfq
        pop     rcx
        and     ecx, 0x400              // DF is bit 10
        shr     ecx, 4
        or      eax, ecx
        cld
        stmxcsr [rsp]
        mov     edx, [rsp]
        and     edx, ~MXCSR_FLAGS
        compare edx, MXCSR_DEFAULT, 7
        add     rsp, 8
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .size   target_call, . - target_call

        .section .note.GNU-stack, "", @progbits
