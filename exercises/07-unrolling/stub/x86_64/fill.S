// Exercise 7 in x86-64 assembly (Intel syntax): the file to edit. It is correct as it stands, and slow: an element is one
// store, and three instructions more that only count.
//
// void fill(uint32_t *values, size_t n, uint32_t value)
//   rdi: values   rsi: n   edx: value
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  fill
        .type   fill, @function
fill:
        test    rsi, rsi
        je      .Ldone                  // n == 0
        .p2align 4
.Lnext:
        mov     [rdi], edx
        add     rdi, 4
        dec     rsi
        jne     .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", @progbits
