// Puts its own address where the caller's return address is.
        .intel_syntax noprefix
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, @function
clamp:  lea     rax, [rip + clamp]
        mov     [rsp + 8], rax
        test    rsi, rsi
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
