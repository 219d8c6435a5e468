// Eight stores, which .irp writes, as the last hint has it.
//
// void fill(uint32_t *values, size_t n, uint32_t value)
//   rdi: values   rsi: n   edx: value
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  fill
        .type   fill, @function
fill:
        sub     rsi, 8
        jb      .Lrest                  // not one whole round
        .p2align 4
.Lround:
        .irp    at, 0, 4, 8, 12, 16, 20, 24, 28
        mov     [rdi + \at], edx
        .endr
        add     rdi, 32
        sub     rsi, 8
        jae     .Lround
.Lrest:
        add     rsi, 8                  // the elements that are left
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
