// Debug information that says it is a terabyte when unpacked.
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
2:      mov     dword ptr [0], eax
        ret
        .section .debug_line, "0x800", @progbits
        .long   1, 0
        .quad   0x10000000000, 1
        .byte   0x78, 0x9c, 3, 0
        .section .note.GNU-stack, "", @progbits
