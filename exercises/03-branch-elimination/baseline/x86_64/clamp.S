// Exercise 3: the baseline. It branches on the data, laid out as a compiler does it, and no compiler can improve
// it away.
//
// void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
//   rdi: values   rsi: n   edx: lo   ecx: hi
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, @function
clamp:
        test    rsi, rsi
        je      .Ldone                  // n == 0
        lea     rsi, [rdi + rsi*4]      // the end
        jmp     .Lnext
        .p2align 4
.Labove:
        mov     [rdi], ecx
.Lstep:
        add     rdi, 4
        cmp     rdi, rsi
        je      .Ldone
.Lnext:
        mov     eax, [rdi]
        cmp     eax, ecx
        jg      .Labove
        cmp     eax, edx
        jge     .Lstep
        mov     [rdi], edx              // below lo
        add     rdi, 4
        cmp     rdi, rsi
        jne     .Lnext
.Ldone:
        ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", @progbits
