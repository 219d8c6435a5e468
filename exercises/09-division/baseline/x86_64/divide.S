// Exercise 9: the baseline, one division an element.
//
// void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
//   rdi: quotients   rsi: values   rdx: n   ecx: divisor
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  divide
        .type   divide, @function
divide:
        test    rdx, rdx
        je      .Ldone                  // n == 0
        mov     r8, rdx
        xor     r9d, r9d                // i = 0
        .p2align 4
.Lnext:
        mov     eax, [rsi + r9*4]
        xor     edx, edx                // DIV divides edx:eax
        div     ecx
        mov     [rdi + r9*4], eax
        inc     r9
        cmp     r9, r8
        jne     .Lnext
.Ldone:
        ret
        .size   divide, . - divide
        .section .note.GNU-stack, "", @progbits
