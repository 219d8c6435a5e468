# Counts the elements in 16 bits.
        .intel_syntax noprefix
        .text
        .globl  fill
        .type   fill, @function
fill:
        movzx   esi, si
        mov     eax, edx
        shl     rdx, 32
        or      rdx, rax
        sub     rsi, 8
        jb      .Lrest
        .p2align 4
.Lround:
        mov     [rdi], rdx
        mov     [rdi + 8], rdx
        mov     [rdi + 16], rdx
        mov     [rdi + 24], rdx
        add     rdi, 32
        sub     rsi, 8
        jae     .Lround
.Lrest:
        add     rsi, 8
        je      .Ldone
.Lnext:
        mov     [rdi], edx
        add     rdi, 4
        dec     rsi
        jne     .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", @progbits
