        .intel_syntax noprefix
        .text
        .globl  sum
        .type   sum, @function
sum:
        mov     rbp, rsi
        xorps   xmm0, xmm0
        test    rbp, rbp
        je      .Ldone
.Lnext:
        addss   xmm0, [rdi]
        add     rdi, 4
        dec     rbp
        jne     .Lnext
.Ldone:
        ret
        .size   sum, . - sum
        .section .note.GNU-stack, "", @progbits
