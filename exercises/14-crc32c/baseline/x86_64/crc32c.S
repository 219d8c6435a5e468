// Exercise 14: the baseline. A byte at a time, through a table: each look waits for the one before.
//
// uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
//   edi: crc   rsi: data   rdx: n   result: eax
        .intel_syntax noprefix
        .text
        .globl  crc32c
        .type   crc32c, @function
        .p2align 6
crc32c:
        mov     eax, edi
        test    rdx, rdx
        je      .Ldone                  // n == 0
        add     rdx, rsi                // the end
        lea     r8, [rip + .Ltable]
.Lnext:
        movzx   ecx, byte ptr [rsi]
        xor     ecx, eax
        movzx   ecx, cl
        shr     eax, 8
        xor     eax, [r8 + rcx*4]
        inc     rsi
        cmp     rsi, rdx
        jne     .Lnext
.Ldone:
        ret
        .size   crc32c, . - crc32c

        .section .rodata
        .p2align 6
.Ltable:
        .set    .Lbyte, 0
        .rept   256
        .set    .Lcrc, .Lbyte
        .rept   8
        .set    .Lcrc, (.Lcrc >> 1) ^ (0x82f63b78 & -(.Lcrc & 1))
        .endr
        .long   .Lcrc
        .set    .Lbyte, .Lbyte + 1
        .endr
        .section .note.GNU-stack, "", @progbits
