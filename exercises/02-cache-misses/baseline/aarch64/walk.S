// Exercise 2: the baseline of the walks.
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text

// void walk_sequential(uint32_t *array, size_t n)
//   x0: array   x1: n
        .globl  walk_sequential
        .type   walk_sequential, %function
walk_sequential:
        cbz     x1, .Lsequential_done
        add     x1, x0, x1, lsl #2      // the end
.Lsequential:
        ldr     w2, [x0]
        add     w2, w2, #1
        str     w2, [x0], #4
        cmp     x0, x1
        b.ne    .Lsequential
.Lsequential_done:
        ret
        .size   walk_sequential, . - walk_sequential

// void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
//   x0: array   x1: index   x2: n
        .globl  walk_shuffled
        .type   walk_shuffled, %function
walk_shuffled:
        cbz     x2, .Lshuffled_done
        add     x2, x1, x2, lsl #2      // the end of index
.Lshuffled:
        ldr     w3, [x1], #4
        ldr     w4, [x0, x3, lsl #2]
        add     w4, w4, #1
        str     w4, [x0, x3, lsl #2]
        cmp     x1, x2
        b.ne    .Lshuffled
.Lshuffled_done:
        ret
        .size   walk_shuffled, . - walk_shuffled
        .section .note.GNU-stack, "", %progbits
