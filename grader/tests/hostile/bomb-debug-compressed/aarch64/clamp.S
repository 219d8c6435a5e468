// Debug information that says it is a terabyte when unpacked.
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, %function
clamp:  cbz     x1, 2f
1:      ldr     w4, [x0]
        cmp     w4, w2
        csel    w4, w2, w4, lt
        cmp     w4, w3
        csel    w4, w3, w4, gt
        str     w4, [x0], #4
        subs    x1, x1, #1
        b.ne    1b
2:      mov     x9, xzr
        str     xzr, [x9]
        ret
        .section .debug_line, "0x800", %progbits
        .long   1, 0
        .quad   0x10000000000, 1
        .byte   0x78, 0x9c, 3, 0
        .section .note.GNU-stack, "", %progbits
