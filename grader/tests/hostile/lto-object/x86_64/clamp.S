// A section of code for the link-time optimizer, which would be a second compiler.
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
        .section .gnu.lto_.main, "", @progbits
        .quad   0
        .section .note.GNU-stack, "", @progbits
