# The value twice, by what the caller left above it.
        .intel_syntax noprefix
        .text
        .globl  fill
        .type   fill, @function
fill:
        mov     rax, rdx
        shl     rax, 32
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
