// Exercise 11: the baseline of the arithmetic, which no bound is taken against. Blocks are powers of two.
        .text

// uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block)
//   x0: address   x1: bytes   x2: block   result: x0
        .globl  blocks_touched
        .type   blocks_touched, %function
blocks_touched:
        cbz     x1, .Lnone
        add     x1, x1, x0
        sub     x1, x1, #1              // the last byte
        udiv    x1, x1, x2
        udiv    x0, x0, x2
        sub     x0, x1, x0
        add     x0, x0, #1
        ret
.Lnone:
        mov     x0, #0
        ret
        .size   blocks_touched, . - blocks_touched

// double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front)
//   x0: address   x1: bytes   x2: instructions   x3: block   x4: width   result: d0
        .globl  least_cycles
        .type   least_cycles, %function
least_cycles:
        mov     x9, x30
        ucvtf   d0, x2
        ucvtf   d1, x4
        fdiv    d0, d0, d1
        mov     x2, x3
        bl      blocks_touched
        ucvtf   d1, x0
        fmax    d0, d0, d1
        ret     x9
        .size   least_cycles, . - least_cycles

// uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block)
//   x0: address   x1: bytes   x2: block   result: x0
        .globl  padding
        .type   padding, %function
padding:
        sub     x3, x2, #1
        sub     x1, x1, #1
        and     x1, x1, x3              // bytes of the last block that it needs, less 1
        and     x0, x0, x3
        sub     x0, x2, x0              // bytes to the next block
        cmp     x1, x0
        csel    x0, xzr, x0, lo         // enough
        ret
        .size   padding, . - padding
        .section .note.GNU-stack, "", %progbits
