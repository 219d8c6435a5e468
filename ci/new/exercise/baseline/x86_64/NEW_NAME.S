// Exercise NEW_NUMBER: the baseline. FILL-IN: why it is slow. One multiplication an element, each waiting for the last.
//
// uint32_t NEW_NAME(const uint32_t *values, size_t n)
//   rdi: values   rsi: n   result: eax
        .intel_syntax noprefix
        .text
        .globl  NEW_NAME
        .type   NEW_NAME, @function
NEW_NAME:
        xor     eax, eax
        test    rsi, rsi
        je      .Ldone                  // n == 0
        mov     ecx, 2654435769
        lea     rsi, [rdi + rsi*4]      // the end
        .p2align 4
.Lnext:
        imul    eax, ecx                // waits for the one before
        add     eax, [rdi]
        add     rdi, 4
        cmp     rdi, rsi
        jne     .Lnext
.Ldone:
        ret
        .size   NEW_NAME, . - NEW_NAME
        .section .note.GNU-stack, "", @progbits
