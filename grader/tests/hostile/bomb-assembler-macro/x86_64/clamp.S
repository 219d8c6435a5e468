// A macro of the assembler that doubles itself.
        .intel_syntax noprefix
        .macro  twice n
        nop
        twice   "(\n+1)"
        twice   "(\n+1)"
        .endm
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
        twice   0
        .section .note.GNU-stack, "", @progbits
