// Exercise 2: the baseline of the shuffle (Fisher and Yates).
//
// void shuffle(uint32_t *index, size_t n, uint64_t seed)
//   x0: index   x1: n   x2: seed, the state of the random numbers
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  shuffle
        .type   shuffle, %function
shuffle:
        ldr     x9, =0xbf58476d1ce4e5b9
        ldr     x10, =0x94d049bb133111eb
        ldr     x11, =0x9e3779b97f4a7c15
        mov     x3, #0
.Lcount:
        cmp     x3, x1
        b.hs    .Lswap
        str     w3, [x0, x3, lsl #2]    // index[i] = i
        add     x3, x3, #1
        b       .Lcount
.Lswap:
        cmp     x1, #2
        b.lo    .Ldone
        add     x2, x2, x11             // the next random number, as random_below has it
        eor     x3, x2, x2, lsr #30
        mul     x3, x3, x9
        eor     x3, x3, x3, lsr #27
        mul     x3, x3, x10
        eor     x3, x3, x3, lsr #31
        umulh   x3, x3, x1              // a number below x1
        sub     x1, x1, #1
        ldr     w4, [x0, x1, lsl #2]    // the last of those that are left, and the chosen one
        ldr     w5, [x0, x3, lsl #2]
        str     w5, [x0, x1, lsl #2]
        str     w4, [x0, x3, lsl #2]
        b       .Lswap
.Ldone:
        ret
        .size   shuffle, . - shuffle
        .section .note.GNU-stack, "", %progbits
