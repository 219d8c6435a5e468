// Exercise 2: the baseline of the ring: every lap follows the links.
//
// uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
//   x0: first   x1: n   x2: laps   x3: scratch, unused   result: x0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  ring_hash
        .type   ring_hash, %function
ring_hash:
        mov     x4, #0                  // the hash
        mul     x1, x1, x2              // the visits
        cbz     x1, .Ldone
.Lvisit:
        ldr     x5, [x0, #8]            // a + b + c + d, a line each
        ldr     x6, [x0, #64]
        ldr     x7, [x0, #128]
        ldr     x8, [x0, #192]
        ldr     x0, [x0]                // the next record
        add     x5, x5, x6
        add     x7, x7, x8
        add     x5, x5, x7
        eor     x5, x4, x5
        ror     x4, x4, #57
        add     x4, x4, x5
        subs    x1, x1, #1
        b.ne    .Lvisit
.Ldone:
        mov     x0, x4
        ret
        .size   ring_hash, . - ring_hash
        .section .note.GNU-stack, "", %progbits
