// Numbers that are too small become 0, from here on.
        .intel_syntax noprefix
        .text
        .globl  sum
        .type   sum, @function
sum:
        xorps   xmm0, xmm0
        stmxcsr [rsp - 8]
        or      dword ptr [rsp - 8], 0x8040
        ldmxcsr [rsp - 8]
        test    rsi, rsi
        je      .Ldone
.Lnext:
        addss   xmm0, [rdi]
        add     rdi, 4
        dec     rsi
        jne     .Lnext
.Ldone:
        ret
        .size   sum, . - sum
        .section .note.GNU-stack, "", @progbits
