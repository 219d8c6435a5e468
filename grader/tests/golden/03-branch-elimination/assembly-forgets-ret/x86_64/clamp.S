// A clamp without its last instruction.
        .intel_syntax noprefix
        .text
        .globl  clamp
        .type   clamp, @function
clamp:
        test    rsi, rsi
        je      .Ldone
        lea     r8, [rdi + rsi*4]
.Lnext:
        mov     eax, [rdi]
        cmp     eax, edx
        cmovl   eax, edx
        cmp     eax, ecx
        cmovg   eax, ecx
        mov     [rdi], eax
        add     rdi, 4
        cmp     rdi, r8
        jne     .Lnext
.Ldone:
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", @progbits
