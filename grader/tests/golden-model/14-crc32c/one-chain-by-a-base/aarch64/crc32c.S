// One chain of crc32cx. After each 48 bytes its register goes by the base of a store, which it moves on.
        .arch_extension crc
        .text
        .globl  crc32c
        .type   crc32c, %function
crc32c: sub     sp, sp, #16
        mov     x6, sp
        b       .Lnext
        .p2align 6
.Lblock:
        .rept   3
        ldp     x4, x5, [x1], #16
        crc32cx w0, w0, x4
        crc32cx w0, w0, x5
        .endr
        mov     x3, sp
        st1     {v0.b}[0], [x3], x0
        sub     x0, x3, x6
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
