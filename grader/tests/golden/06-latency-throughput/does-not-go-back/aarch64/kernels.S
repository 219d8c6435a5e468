// Exercise 6: the reference. Thirty-two operations a turn, in one chain or in eight: what counts the turns
// runs beside them.
        .text

        .globl  add_chain
        .type   add_chain, %function
add_chain:
        cbz     x2, .Ladd_chain_done
        .p2align 6
.Ladd_chain:
        .rept   32
            add     x0, x0, x1
        .endr
        subs    x2, x2, #1
        b.ne    .Ladd_chain
.Ladd_chain_done:
        ret
        .size   add_chain, . - add_chain

        .globl  multiply_chain
        .type   multiply_chain, %function
multiply_chain:
        cbz     x2, .Lmultiply_chain_done
        .p2align 6
.Lmultiply_chain:
        .rept   32
            mul     x0, x0, x1
        .endr
        subs    x2, x2, #1
        b.ne    .Lmultiply_chain
.Lmultiply_chain_done:
        ret
        .size   multiply_chain, . - multiply_chain

        .globl  fp_add_chain
        .type   fp_add_chain, %function
fp_add_chain:
        cbz     x0, .Lfp_add_chain_done
        .p2align 6
.Lfp_add_chain:
        .rept   32
            fadd    d0, d0, d1
        .endr
        subs    x0, x0, #1
        b.ne    .Lfp_add_chain
.Lfp_add_chain_done:
        ret
        .size   fp_add_chain, . - fp_add_chain

        .globl  load_chain
        .type   load_chain, %function
load_chain:
        cbz     x1, .Lload_chain_done
        .p2align 6
.Lload_chain:
        .rept   32
            ldr     x0, [x0]
        .endr
        subs    x1, x1, #1
        b.ne    .Lload_chain
.Lload_chain_done:
        ret
        .size   load_chain, . - load_chain

        .globl  store_load_chain
        .type   store_load_chain, %function
store_load_chain:
        cbz     x1, .Lstore_load_chain_done
        .p2align 6
.Lstore_load_chain:
        .rept   32
            add     x2, x0, #8
            str     x2, [x2]
            ldr     x0, [x0, #8]
        .endr
        subs    x1, x1, #1
        b.ne    .Lstore_load_chain
.Lstore_load_chain_done:
        ret
        .size   store_load_chain, . - store_load_chain

        .globl  add_streams
        .type   add_streams, %function
add_streams:
        ldp     x3, x4, [x0]
        ldp     x5, x6, [x0, #16]
        ldp     x7, x8, [x0, #32]
        ldp     x9, x10, [x0, #48]
        cbz     x2, .Ladd_streams_done
        .p2align 6
.Ladd_streams:
        .rept   4
            add     x3, x3, x1
            add     x4, x4, x1
            add     x5, x5, x1
            add     x6, x6, x1
            add     x7, x7, x1
            add     x8, x8, x1
            add     x9, x9, x1
            add     x10, x10, x1
        .endr
        subs    x2, x2, #1
        b.ne    .Ladd_streams
.Ladd_streams_done:
        stp     x3, x4, [x0]
        stp     x5, x6, [x0, #16]
        stp     x7, x8, [x0, #32]
        stp     x9, x10, [x0, #48]
        ret
        .size   add_streams, . - add_streams

        .globl  multiply_streams
        .type   multiply_streams, %function
multiply_streams:
        ldp     x3, x4, [x0]
        ldp     x5, x6, [x0, #16]
        ldp     x7, x8, [x0, #32]
        ldp     x9, x10, [x0, #48]
        cbz     x2, .Lmultiply_streams_done
        .p2align 6
.Lmultiply_streams:
        .rept   4
            mul     x3, x3, x1
            mul     x4, x4, x1
            mul     x5, x5, x1
            mul     x6, x6, x1
            mul     x7, x7, x1
            mul     x8, x8, x1
            mul     x9, x9, x1
            mul     x10, x10, x1
        .endr
        subs    x2, x2, #1
        b.ne    .Lmultiply_streams
.Lmultiply_streams_done:
        stp     x3, x4, [x0]
        stp     x5, x6, [x0, #16]
        stp     x7, x8, [x0, #32]
        stp     x9, x10, [x0, #48]
        ret
        .size   multiply_streams, . - multiply_streams

        .globl  fp_add_streams
        .type   fp_add_streams, %function
fp_add_streams:
        ldp     d16, d17, [x0]
        ldp     d18, d19, [x0, #16]
        ldp     d20, d21, [x0, #32]
        ldp     d22, d23, [x0, #48]
        cbz     x1, .Lfp_add_streams_done
        .p2align 6
.Lfp_add_streams:
        .rept   4
            fadd    d16, d16, d0
            fadd    d17, d17, d0
            fadd    d18, d18, d0
            fadd    d19, d19, d0
            fadd    d20, d20, d0
            fadd    d21, d21, d0
            fadd    d22, d22, d0
            fadd    d23, d23, d0
        .endr
        subs    x1, x1, #1
        b.ne    .Lfp_add_streams
.Lfp_add_streams_done:
        stp     d16, d17, [x0]
        stp     d18, d19, [x0, #16]
        stp     d20, d21, [x0, #32]
        stp     d22, d23, [x0, #48]
        ret
        .size   fp_add_streams, . - fp_add_streams

        .globl  load_streams
        .type   load_streams, %function
load_streams:
        ldp     x3, x4, [x0]
        ldp     x5, x6, [x0, #16]
        ldp     x7, x8, [x0, #32]
        ldp     x9, x10, [x0, #48]
        cbz     x1, .Lload_streams_done
        .p2align 6
.Lload_streams:
        .rept   4
            ldr     x3, [x3]
            ldr     x4, [x4]
            ldr     x5, [x5]
            ldr     x6, [x6]
            ldr     x7, [x7]
            ldr     x8, [x8]
            ldr     x9, [x9]
            ldr     x10, [x10]
        .endr
        subs    x1, x1, #1
        b.ne    .Lload_streams
.Lload_streams_done:
        stp     x3, x4, [x0]
        stp     x5, x6, [x0, #16]
        stp     x7, x8, [x0, #32]
        stp     x9, x10, [x0, #48]
        ret
        .size   load_streams, . - load_streams

        .globl  store_load_streams
        .type   store_load_streams, %function
store_load_streams:
        ldp     x3, x4, [x0]
        ldp     x5, x6, [x0, #16]
        ldp     x7, x8, [x0, #32]
        ldp     x9, x10, [x0, #48]
        cbz     x1, .Lstore_load_streams_done
        .p2align 6
.Lstore_load_streams:
        .rept   4
            add     x2, x3, #8
            str     x2, [x2]
            ldr     x3, [x3, #8]
            add     x2, x4, #8
            str     x2, [x2]
            ldr     x4, [x4, #8]
            add     x2, x5, #8
            str     x2, [x2]
            ldr     x5, [x5, #8]
            add     x2, x6, #8
            str     x2, [x2]
            ldr     x6, [x6, #8]
            add     x2, x7, #8
            str     x2, [x2]
            ldr     x7, [x7, #8]
            add     x2, x8, #8
            str     x2, [x2]
            ldr     x8, [x8, #8]
            add     x2, x9, #8
            str     x2, [x2]
            ldr     x9, [x9, #8]
            add     x2, x10, #8
            str     x2, [x2]
            ldr     x10, [x10, #8]
        .endr
        sub     x3, x3, #32
        sub     x4, x4, #32
        sub     x5, x5, #32
        sub     x6, x6, #32
        sub     x7, x7, #32
        sub     x8, x8, #32
        sub     x9, x9, #32
        sub     x10, x10, #32
        subs    x1, x1, #1
        b.ne    .Lstore_load_streams
.Lstore_load_streams_done:
        stp     x3, x4, [x0]
        stp     x5, x6, [x0, #16]
        stp     x7, x8, [x0, #32]
        stp     x9, x10, [x0, #48]
        ret
        .size   store_load_streams, . - store_load_streams

        .section .note.GNU-stack, "", %progbits
