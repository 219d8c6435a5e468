// A dynamic section, for who believes the program to be dynamic.
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
        .section .dynamic, "a", %progbits
        .quad   30, 8, 0, 0
        .section .note.GNU-stack, "", %progbits
