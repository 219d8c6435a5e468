// A hundred thousand branches, each to the one before it.
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, %function
clamp:  cbz     x1, 2f
        mov     w9, 1500
        cmp     x1, x9
        b.lo    1f
        .set    i, 0
first:  nop
        .rept   100000
        cbnz    xzr, first + 4 * i
        .set    i, i + 1
        .endr
1:      ldr     w4, [x0]
        cmp     w4, w2
        csel    w4, w2, w4, lt
        cmp     w4, w3
        csel    w4, w3, w4, gt
        str     w4, [x0], #4
        subs    x1, x1, #1
        b.ne    1b
2:      ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", %progbits
