// Exercise 5 in AArch64 assembly: edit this file or probe.c, not both.
//
// uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
//   x0: table   x1: mask   x2: keys   x3: n   result: x0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  probe
        .type   probe, %function
probe:
        mov     x4, x0                  // the table
        mov     x0, #0                  // sum = 0
        cbz     x3, .Ldone              // n == 0
        add     x3, x2, x3, lsl #3      // the end of keys
        mov     x5, #0x7c15             // 0x9e3779b97f4a7c15
        movk    x5, #0x7f4a, lsl #16
        movk    x5, #0x79b9, lsl #32
        movk    x5, #0x9e37, lsl #48
.Lkey:
        ldr     x6, [x2], #8
        mul     x7, x6, x5
        lsr     x7, x7, #32             // its first slot, but for the mask
.Lslot:
        and     x7, x7, x1
        ldr     x8, [x4, x7, lsl #3]
        cmp     x8, x6
        b.eq    .Lfound
        add     x7, x7, #1
        cbnz    x8, .Lslot              // another key: try the next slot
        b       .Lstep                  // empty: it is not in the table
.Lfound:
        add     x0, x0, x6
.Lstep:
        cmp     x2, x3
        b.ne    .Lkey
.Ldone:
        ret
        .size   probe, . - probe
        .section .note.GNU-stack, "", %progbits
