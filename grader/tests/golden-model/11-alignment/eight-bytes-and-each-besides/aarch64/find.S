// Eight bytes at once, and each of them once more by itself, for nothing.
        .text
        .globl  find_end
        .type   find_end, %function
find_end:
        mov     x1, x0
        mov     x3, #0x0101010101010101
.Lbyte:
        tst     x1, #7
        b.eq    .Lwords
        ldrb    w2, [x1], #1
        cbnz    w2, .Lbyte
        sub     x0, x1, x0
        sub     x0, x0, #1
        ret
.Lwords:
        ldr     x2, [x1], #8
        ldrb    wzr, [x1, #-8]
        ldrb    wzr, [x1, #-7]
        ldrb    wzr, [x1, #-6]
        ldrb    wzr, [x1, #-5]
        ldrb    wzr, [x1, #-4]
        ldrb    wzr, [x1, #-3]
        ldrb    wzr, [x1, #-2]
        ldrb    wzr, [x1, #-1]
        sub     x4, x2, x3
        bic     x4, x4, x2
        ands    x4, x4, #0x8080808080808080
        b.eq    .Lwords
        rbit    x4, x4
        rev     x4, x4
        rbit    x4, x4
        rev     x4, x4
        rbit    x4, x4
        clz     x4, x4
        sub     x0, x1, x0
        sub     x0, x0, #8
        add     x0, x0, x4, lsr #3
        ret
        .size   find_end, . - find_end
        .section .note.GNU-stack, "", %progbits
