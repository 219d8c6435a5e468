// The loop is where it should be, and the padding that it no longer needs is still executed each turn.
//
// size_t find_end(const uint8_t *text)
//   x0: text   result: x0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .p2align 6
        .rept   8                       // stands for the code of other functions, in front of this one
            nop
        .endr
        .globl  find_end
        .type   find_end, %function
find_end:
        mov     x1, x0                  // texts of up to two bytes
        ldrb    w2, [x1]
        cbz     w2, .Lfound
        ldrb    w2, [x1, #1]!
        cbz     w2, .Lfound
        ldrb    w2, [x1, #1]!
        cbz     w2, .Lfound
        .p2align 6
.Lnext:                                 // in one block, and longer than it needs to be
        ldrb    w2, [x1, #1]!
        .rept   5
            nop
        .endr
        cbnz    w2, .Lnext
.Lfound:
        sub     x0, x1, x0
        ret
        .size   find_end, . - find_end
        .section .note.GNU-stack, "", %progbits
