// Two hundred thousand names that can be seen from outside.
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
2:      ret
        .altmacro
        .macro  name n
        .globl  s\n
s\n:
        .endm
        .set    i, 0
        .rept   200000
        name    %i
        .set    i, i + 1
        .endr
        .section .note.GNU-stack, "", %progbits
