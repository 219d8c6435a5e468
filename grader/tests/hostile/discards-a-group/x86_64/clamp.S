// A group of sections under the runner's name, of which the linker keeps one only.
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
        .section .text.runner_loop, "axG", @progbits, runner_loop, comdat
        .weak   runner_loop
runner_loop: ret
        .section .note.GNU-stack, "", @progbits
