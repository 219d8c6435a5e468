// Exercise 11: no bound is taken against a baseline of these; they are here for the linker.
//
// uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block)
// double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front)
// uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block)
//   result: rax, of least_cycles xmm0: always 0
        .intel_syntax noprefix
        .text
        .globl  blocks_touched
        .type   blocks_touched, @function
        .globl  least_cycles
        .type   least_cycles, @function
        .globl  padding
        .type   padding, @function
blocks_touched:
least_cycles:
padding:
        xor     eax, eax
        pxor    xmm0, xmm0
        ret
        .size   blocks_touched, . - blocks_touched
        .size   least_cycles, . - least_cycles
        .size   padding, . - padding
        .section .note.GNU-stack, "", @progbits
