// Reads what only an address that is a multiple of 16 allows.
        .intel_syntax noprefix
        .text
        .globl  sum
        .type   sum, @function
sum:
        xorps   xmm0, xmm0
        cmp     rsi, 4
        jb      .Lrest
.Lround:
        addps   xmm0, [rdi]
        add     rdi, 16
        sub     rsi, 4
        cmp     rsi, 4
        jae     .Lround
.Lrest:
        movaps  xmm1, xmm0
        movhlps xmm1, xmm1
        addps   xmm0, xmm1
        movaps  xmm1, xmm0
        shufps  xmm1, xmm1, 1
        addss   xmm0, xmm1
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
