// Debug information of its own making: endless, and about files that are none.
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
2:      mov     [0], eax
        ret
        .section .debug_line, "", @progbits
        .long   0xffffffff
        .quad   0x7fffffffffffffff
        .fill   65536, 1, 0xff
        .section .debug_info, "", @progbits
        .long   0xfffffff0
        .fill   4096, 1, 1
        .section .debug_abbrev, "", @progbits
        .fill   4096, 1, 0x81
        .section .note.GNU-stack, "", @progbits
