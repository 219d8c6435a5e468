// Counts the elements in 16 bits.
        .text
        .globl  fill
        .type   fill, %function
fill:
        and     x1, x1, #0xffff
        bfi     x2, x2, #32, #32
        subs    x1, x1, #8
        b.lo    .Lrest
.Lround:
        stp     x2, x2, [x0]
        stp     x2, x2, [x0, #16]
        add     x0, x0, #32
        subs    x1, x1, #8
        b.hs    .Lround
.Lrest:
        adds    x1, x1, #8
        b.eq    .Ldone
.Lnext:
        str     w2, [x0], #4
        subs    x1, x1, #1
        b.ne    .Lnext
.Ldone:
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", %progbits
