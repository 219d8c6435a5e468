// One chain of crc32cx. After each 48 bytes its register goes by memory, past a store that fails.
        .arch_extension crc
        .text
        .globl  crc32c
        .type   crc32c, %function
crc32c: sub     sp, sp, #16
        b       .Lnext
        .p2align 6
.Lblock:
        .rept   3
        ldp     x4, x5, [x1], #16
        crc32cx w0, w0, x4
        crc32cx w0, w0, x5
        .endr
        str     x0, [sp]
        clrex
        stxr    w6, xzr, [sp]
        ldr     x0, [sp]
.Lnext: subs    x2, x2, #48
        b.hs    .Lblock
        adds    x2, x2, #48
        b.eq    .Ldone
.Lbyte: ldrb    w4, [x1], #1
        crc32cb w0, w0, w4
        subs    x2, x2, #1
        b.ne    .Lbyte
.Ldone: add     sp, sp, #16
        ret
        .size   crc32c, . - crc32c
