// Two hundred thousand names that can be seen from outside.
        .intel_syntax noprefix
        .text
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
        .altmacro
        .macro  name n
        .globl  s\n
s\n:
        .endm
        .set    i, 0
        .rept   200000
        name    %i
        .set    i, i + 1
        .endr
        .section .note.GNU-stack, "", @progbits
