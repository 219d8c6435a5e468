// A clamp without its last instruction.
        .text
        .globl  clamp
        .type   clamp, %function
clamp:
        cbz     x1, .Ldone
        add     x1, x0, x1, lsl #2
.Lnext:
        ldr     w4, [x0]
        cmp     w4, w2
        csel    w4, w2, w4, lt
        cmp     w4, w3
        csel    w4, w3, w4, gt
        str     w4, [x0], #4
        cmp     x0, x1
        b.ne    .Lnext
.Ldone:
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", %progbits
