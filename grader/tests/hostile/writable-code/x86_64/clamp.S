// Code that can be written.
        .intel_syntax noprefix
        .section .text.own, "awx", @progbits
        .p2align 6
        .globl  clamp
        .type   clamp, @function
clamp:  test    rsi, rsi
        je      2f
1:      mov     eax, [rdi]
        cmp     eax, edx
        cmovl   eax, edx
        cmp     eax, ecx
        cmovg   eax, ecx
        mov     [rdi], eax
        add     rdi, 4
        dec     rsi
        jne     1b
2:      ret
        .section .note.GNU-stack, "", @progbits
