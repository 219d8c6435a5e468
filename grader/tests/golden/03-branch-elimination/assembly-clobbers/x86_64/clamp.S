        .intel_syntax noprefix
        .text
        .globl  clamp
        .type   clamp, @function
clamp:
        test    rsi, rsi
        je      .Ldone
        lea     r12, [rdi + rsi*4]
.Lnext:
        mov     ebx, [rdi]
        cmp     ebx, edx
        cmovl   ebx, edx
        cmp     ebx, ecx
        cmovg   ebx, ecx
        mov     [rdi], ebx
        add     rdi, 4
        cmp     rdi, r12
        jne     .Lnext
.Ldone:
        ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", @progbits
