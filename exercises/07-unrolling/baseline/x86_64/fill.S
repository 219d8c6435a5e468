// Exercise 7: the baseline. One store an element, and a jump with its counting for each.
//
// void fill(uint64_t *values, size_t n, uint64_t value)
//   rdi: values   rsi: n   rdx: value
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
        mov     [rdi], rdx
        add     rdi, 8
        dec     rsi
        jne     .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", @progbits
