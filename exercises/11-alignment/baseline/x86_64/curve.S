// Exercise 11: the baseline of the curve, which no bound is taken against, but which is run: one offset after the other.
//
// void measure_curve(const loop_fn loop[16], uint64_t turns, struct reading shortest[16])
//   rdi: loop   rsi: turns   rdx: shortest
        .intel_syntax noprefix
        .text
        .macro  ticks register          // changes rdx
        lfence
        rdtsc
        lfence
        shl     rdx, 32
        lea     \register, [rdx + rax]
        .endm

        .globl  measure_curve
        .type   measure_curve, @function
measure_curve:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        push    rdx                     // [rsp]: its reading
        mov     rbx, rdi                // the loop's pointer
        mov     rbp, rsi                // turns
        mov     r12d, 16                // loops left
.Loffset:
        mov     r13, -1                 // ticks of the shortest run
        mov     r14d, 25                // runs left
.Lrun:
        mov     rdi, rbp
        ticks   r15
        call    [rbx]
        ticks   r8
        mov     r9, r8
        sub     r9, r15
        cmp     r9, r13
        jae     .Llonger
        mov     r13, r9
        mov     rcx, [rsp]
        mov     [rcx], r15
        mov     [rcx + 8], r8
.Llonger:
        dec     r14d
        jne     .Lrun
        add     rbx, 8
        add     qword ptr [rsp], 16
        dec     r12d
        jne     .Loffset
        pop     rdx
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .size   measure_curve, . - measure_curve
        .section .note.GNU-stack, "", @progbits
