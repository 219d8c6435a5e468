// Exercise 8: the baseline. Four passes, each through memory; and columns from top to bottom, a row's length apart.
        .text

// uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n, const struct correction *correction)
//   x0: samples   x1: scratch   x2: n   x3: correction   result: x0
        .globl  corrected_sum
        .type   corrected_sum, %function
        .p2align 6
corrected_sum:
        mov     x8, #0                  // sum = 0
        cbz     x2, .Ldone              // n == 0
        ldp     w4, w5, [x3]            // offset, gain
        ldr     w6, [x3, #8]            // shift
        mov     x7, #0
.Loffset:
        ldrh    w9, [x0, x7, lsl #1]
        sub     w9, w9, w4
        str     w9, [x1, x7, lsl #2]
        add     x7, x7, #1
        cmp     x7, x2
        b.ne    .Loffset
        mov     x7, #0
.Lgain:
        ldr     w9, [x1, x7, lsl #2]
        mul     w9, w9, w5
        str     w9, [x1, x7, lsl #2]
        add     x7, x7, #1
        cmp     x7, x2
        b.ne    .Lgain
        mov     x7, #0
.Lshift:
        ldr     w9, [x1, x7, lsl #2]
        lsr     w10, w9, w6
        eor     w9, w9, w10
        str     w9, [x1, x7, lsl #2]
        add     x7, x7, #1
        cmp     x7, x2
        b.ne    .Lshift
        mov     x7, #0
.Lsum:
        ldr     w9, [x1, x7, lsl #2]
        add     x8, x8, x9
        add     x7, x7, #1
        cmp     x7, x2
        b.ne    .Lsum
.Ldone:
        mov     x0, x8
        ret
        .size   corrected_sum, . - corrected_sum

// void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
//   x0: sums   x1: matrix   x2: rows   x3: columns
        .globl  column_sums
        .type   column_sums, %function
        .p2align 6
column_sums:
        cbz     x3, .Lend               // no columns
        lsl     x4, x3, #2              // the length of a row
        add     x3, x0, x3, lsl #3      // the end of the sums
.Lcolumn:
        mov     x5, #0
        mov     x6, x1                  // the column's number in row 0
        mov     x7, x2
        cbz     x7, .Lset               // no rows
.Lrow:
        ldr     w8, [x6]
        add     x5, x5, x8
        add     x6, x6, x4
        subs    x7, x7, #1
        b.ne    .Lrow
.Lset:
        str     x5, [x0], #8
        add     x1, x1, #4
        cmp     x0, x3
        b.ne    .Lcolumn
.Lend:
        ret
        .size   column_sums, . - column_sums
        .section .note.GNU-stack, "", %progbits
