// Loops whose emulation `make bench` times: an entry each, called with struct bench_args (drive.c).
        .text

        .macro  entry name
        .p2align 6
        .type   \name, %function
\name:
        ldp     x2, x3, [x0]            // values, index
        ldp     x4, x5, [x0, #16]       // count, limits
        .endm

// Loads, compares, selects, stores: exercise 3's reference.
        entry   clamp_select
        lsr     x6, x5, #32
1:      ldr     w7, [x2]
        cmp     w7, w5
        csel    w7, w5, w7, lt
        cmp     w7, w6
        csel    w7, w6, w7, gt
        str     w7, [x2], #4
        subs    x4, x4, #1
        b.ne    1b
        ret
        .size   clamp_select, . - clamp_select

// Registers only.
        entry   alu
1:      add     x6, x6, x4
        eor     x7, x7, x6, lsl #1
        sub     x8, x8, x7
        orr     x9, x8, #1
        add     x10, x9, #5
        and     x11, x10, x6
        subs    x4, x4, #1
        b.ne    1b
        ret
        .size   alu, . - alu

// The same as clamp_select by branches: exercise 3's baseline. Values that fall either side at random.
        entry   clamp_branch
        lsr     x6, x5, #32
1:      ldr     w7, [x2], #4
        cmp     w7, w5
        b.ge    2f
        stur    w5, [x2, #-4]
        b       3f
2:      cmp     w7, w6
        b.le    3f
        stur    w6, [x2, #-4]
3:      subs    x4, x4, #1
        b.ne    1b
        ret
        .size   clamp_branch, . - clamp_branch

// Increments all over the place: exercise 2's shuffled walk.
        entry   walk
1:      ldr     w6, [x3], #4
        ldr     w7, [x2, x6, lsl #2]
        add     w7, w7, #1
        str     w7, [x2, x6, lsl #2]
        subs    x4, x4, #1
        b.ne    1b
        ret
        .size   walk, . - walk

// Load, add, store: as many accesses as a loop can have.
        entry   copy_add
1:      ldr     w6, [x2]
        add     w6, w6, #1
        str     w6, [x2], #4
        subs    x4, x4, #1
        b.ne    1b
        ret
        .size   copy_add, . - copy_add

        .section .rodata
        .p2align 3
        .globl  plan_entries
        .globl  plan_entry_count
plan_entries:
        .xword  clamp_select, copy_add, alu, clamp_branch, walk
plan_entry_count:
        .word   5
        .section .note.GNU-stack, "", %progbits
