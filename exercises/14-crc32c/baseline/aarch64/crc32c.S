// Exercise 14: the baseline. A byte at a time, through a table: each look waits for the one before.
//
// uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
//   w0: crc   x1: data   x2: n   result: w0
        .text
        .globl  crc32c
        .type   crc32c, %function
        .p2align 6
crc32c:
        cbz     x2, .Ldone              // n == 0
        add     x2, x1, x2              // the end
        adrp    x3, .Ltable
        add     x3, x3, :lo12:.Ltable
.Lnext:
        ldrb    w4, [x1], #1
        eor     w4, w4, w0
        and     w4, w4, #255
        ldr     w4, [x3, w4, uxtw #2]
        eor     w0, w4, w0, lsr #8
        cmp     x1, x2
        b.ne    .Lnext
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
        .section .note.GNU-stack, "", %progbits
