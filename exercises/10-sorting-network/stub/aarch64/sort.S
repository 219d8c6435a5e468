// Exercise 10 in AArch64 assembly: edit this file or sort.c, not both.
//
// int32_t minimum(int32_t a, int32_t b), int32_t maximum(int32_t a, int32_t b), uint32_t magnitude(int32_t x)
//   w0: a or x   w1: b; the upper halves of x0 and x1 are anything   result: w0
//
// void sort_groups(int32_t *groups, size_t n)
//   x0: groups   x1: n
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  minimum
        .type   minimum, %function
minimum:
        cmp     w0, w1
        b.le    .La_is_less
        mov     w0, w1
.La_is_less:
        ret
        .size   minimum, . - minimum
        .globl  maximum
        .type   maximum, %function
maximum:
        cmp     w0, w1
        b.ge    .La_is_greater
        mov     w0, w1
.La_is_greater:
        ret
        .size   maximum, . - maximum
        .globl  magnitude
        .type   magnitude, %function
magnitude:
        cmp     w0, #0
        b.ge    .Lno_sign
        neg     w0, w0
.Lno_sign:
        ret
        .size   magnitude, . - magnitude

        .globl  sort_groups
        .type   sort_groups, %function
sort_groups:
        cbz     x1, .Ldone              // n == 0
        add     x1, x0, x1, lsl #5      // the end
.Lgroup:
        mov     x2, #1                  // i = 1
.Lnumber:
        ldr     w3, [x0, x2, lsl #2]    // the number that moves
        add     x4, x0, x2, lsl #2      // where it may go
.Lmove:
        ldr     w5, [x4, #-4]
        cmp     w5, w3
        b.le    .Lplace                 // taken or not: nobody knows before
        str     w5, [x4], #-4
        cmp     x4, x0
        b.ne    .Lmove
.Lplace:
        str     w3, [x4]
        add     x2, x2, #1
        cmp     x2, #8
        b.ne    .Lnumber
        add     x0, x0, #32             // the next group
        cmp     x0, x1
        b.ne    .Lgroup
.Ldone:
        ret
        .size   sort_groups, . - sort_groups
        .section .note.GNU-stack, "", %progbits
