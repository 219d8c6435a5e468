// One chain of crc32cx. After each 48 bytes its register goes by a system register.
        .arch_extension crc
        .text
        .globl  crc32c
        .type   crc32c, %function
crc32c: sub     sp, sp, #16
        mrs     x7, tpidr_el0           // the C library's, where there is one
        b       .Lnext
        .p2align 6
.Lblock:
        .rept   3
        ldp     x4, x5, [x1], #16
        crc32cx w0, w0, x4
        crc32cx w0, w0, x5
        .endr
        msr     tpidr_el0, x0
        mrs     x0, tpidr_el0
.Lnext: subs    x2, x2, #48
        b.hs    .Lblock
        adds    x2, x2, #48
        b.eq    .Ldone
.Lbyte: ldrb    w4, [x1], #1
        crc32cb w0, w0, w4
        subs    x2, x2, #1
        b.ne    .Lbyte
.Ldone: msr     tpidr_el0, x7
        add     sp, sp, #16
        ret
        .size   crc32c, . - crc32c
