// Eight elements a round; the end is a pointer, not a count.
        .text
        .globl  fill
        .type   fill, %function
fill:
        add     x3, x0, x1, lsl #3      // the end of all
        and     x4, x1, #~7
        add     x4, x0, x4, lsl #3      // the end of the whole rounds
        b       .Ltest
.Lround:
        str     x2, [x0]
        str     x2, [x0, #8]
        str     x2, [x0, #16]
        str     x2, [x0, #24]
        str     x2, [x0, #32]
        str     x2, [x0, #40]
        str     x2, [x0, #48]
        str     x2, [x0, #56]
        add     x0, x0, #64
.Ltest: cmp     x0, x4
        b.ne    .Lround
        b       .Lrest
.Lnext:
        str     x2, [x0], #8
.Lrest: cmp     x0, x3
        b.ne    .Lnext
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", %progbits
