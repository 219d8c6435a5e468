// Two selects, no branch on the data.
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, %function
clamp:
        cbz     x1, 2f
        add     x1, x0, x1, lsl #2
1:      ldr     w4, [x0]
        cmp     w4, w2
        csel    w4, w4, w2, ge
        cmp     w4, w3
        csel    w4, w4, w3, le
        str     w4, [x0], #4
        cmp     x0, x1
        b.ne    1b
2:      ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", %progbits
