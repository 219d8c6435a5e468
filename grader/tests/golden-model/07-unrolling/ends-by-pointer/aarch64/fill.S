// Eight elements a round; the end is a pointer, not a count.
        .text
        .globl  fill
        .type   fill, %function
fill:
        add     x3, x0, x1, lsl #2      // the end of all
        and     x4, x1, #~7
        add     x4, x0, x4, lsl #2      // the end of the whole rounds
        b       .Ltest
.Lround:
        str     w2, [x0]
        str     w2, [x0, #4]
        str     w2, [x0, #8]
        str     w2, [x0, #12]
        str     w2, [x0, #16]
        str     w2, [x0, #20]
        str     w2, [x0, #24]
        str     w2, [x0, #28]
        add     x0, x0, #32
.Ltest: cmp     x0, x4
        b.ne    .Lround
        b       .Lrest
.Lnext:
        str     w2, [x0], #4
.Lrest: cmp     x0, x3
        b.ne    .Lnext
        ret
        .size   fill, . - fill
        .section .note.GNU-stack, "", %progbits
