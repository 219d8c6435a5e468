// Exercise 13: the baseline. Each order is loaded when its turn comes, in all its bytes, each day anew.
        .text

// uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
//   x0: orders   x1: wanted   x2: n   result: x0
        .globl  total
        .type   total, %function
        .p2align 6
total:
        mov     x3, #0                  // sum
        add     x2, x1, x2, lsl #2      // the end of wanted
        cmp     x1, x2
        b.eq    .Ldone
.Lorder:
        ldr     w4, [x1], #4
        add     x4, x0, x4, lsl #6      // the order
        ldr     w5, [x4], #4            // its items
        cbz     w5, .Lnext
.Litem:
        ldr     w6, [x4], #4
        add     x3, x3, x6
        subs    w5, w5, #1
        b.ne    .Litem
.Lnext:
        cmp     x1, x2
        b.ne    .Lorder
.Ldone:
        mov     x0, x3
        ret
        .size   total, . - total

// void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
//             size_t days, void *scratch)
//   x0: totals   x1: orders   x3: wanted   x4: n   x5: days
        .globl  totals
        .type   totals, %function
        .p2align 6
totals:
        stp     x29, x30, [sp, #-64]!
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        str     x23, [sp, #48]
        mov     x19, x0
        mov     x20, x1
        mov     x21, x3
        mov     x22, x4
        mov     x23, x5
        cbz     x23, .Lend
.Lday:
        mov     x0, x20
        mov     x1, x21
        mov     x2, x22
        bl      total
        str     x0, [x19], #8
        add     x21, x21, x22, lsl #2
        subs    x23, x23, #1
        b.ne    .Lday
.Lend:
        ldr     x23, [sp, #48]
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #64
        ret
        .size   totals, . - totals
        .section .note.GNU-stack, "", %progbits
