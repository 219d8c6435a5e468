// Debug information of its own making: endless, and about files that are none.
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
        .section .debug_line, "", %progbits
        .long   0xffffffff
        .quad   0x7fffffffffffffff
        .fill   65536, 1, 0xff
        .section .debug_info, "", %progbits
        .long   0xfffffff0
        .fill   4096, 1, 1
        .section .debug_abbrev, "", %progbits
        .fill   4096, 1, 0x81
        .section .note.GNU-stack, "", %progbits
