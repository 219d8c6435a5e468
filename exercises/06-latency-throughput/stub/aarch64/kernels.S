// Exercise 6 in AArch64 assembly: the file to edit. add_chain and add_streams are done, as an example; the others
// do nothing yet. `.rept 32` ... `.endr` writes what is between them 32 times.
//
// may change: x0-x17, v0-v7, v16-v31, flags
        .text

// uint64_t add_chain(uint64_t x, uint64_t y, uint64_t turns)
//   x0: x   x1: y   x2: turns   result: x0
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

// uint64_t multiply_chain(uint64_t x, uint64_t y, uint64_t turns)
//   the same
        .globl  multiply_chain
        .type   multiply_chain, %function
multiply_chain:
        ret
        .size   multiply_chain, . - multiply_chain

// double fp_add_chain(double x, double y, uint64_t turns)
//   d0: x   d1: y   x0: turns   result: d0
        .globl  fp_add_chain
        .type   fp_add_chain, %function
fp_add_chain:
        ret
        .size   fp_add_chain, . - fp_add_chain

// const void *load_chain(const void *x, uint64_t turns)
//   x0: x   x1: turns   result: x0
        .globl  load_chain
        .type   load_chain, %function
load_chain:
        ret
        .size   load_chain, . - load_chain

// void *store_load_chain(void *x, uint64_t turns)
//   the same
        .globl  store_load_chain
        .type   store_load_chain, %function
store_load_chain:
        ret
        .size   store_load_chain, . - store_load_chain

// void add_streams(uint64_t x[8], uint64_t y, uint64_t turns)
//   x0: x   x1: y   x2: turns
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

// void multiply_streams(uint64_t x[8], uint64_t y, uint64_t turns)
//   the same
        .globl  multiply_streams
        .type   multiply_streams, %function
multiply_streams:
        ret
        .size   multiply_streams, . - multiply_streams

// void fp_add_streams(double x[8], double y, uint64_t turns)
//   x0: x   d0: y   x1: turns
        .globl  fp_add_streams
        .type   fp_add_streams, %function
fp_add_streams:
        ret
        .size   fp_add_streams, . - fp_add_streams

// void load_streams(const void *x[8], uint64_t turns)
//   x0: x   x1: turns
        .globl  load_streams
        .type   load_streams, %function
load_streams:
        ret
        .size   load_streams, . - load_streams

// void store_load_streams(void *x[8], uint64_t turns)
//   the same
        .globl  store_load_streams
        .type   store_load_streams, %function
store_load_streams:
        ret
        .size   store_load_streams, . - store_load_streams

        .section .note.GNU-stack, "", %progbits
