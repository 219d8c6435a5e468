// Exercise 11: the baseline of the arithmetic, which no bound is taken against. Blocks are powers of two.
        .intel_syntax noprefix
        .text

// uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block)
//   rdi: address   rsi: bytes   rdx: block   result: rax
        .globl  blocks_touched
        .type   blocks_touched, @function
blocks_touched:
        xor     eax, eax
        test    rsi, rsi
        je      .Lnone
        bsf     rcx, rdx
        lea     rax, [rdi + rsi - 1]    // the last byte
        shr     rax, cl
        shr     rdi, cl
        sub     rax, rdi
        inc     rax
.Lnone:
        ret
        .size   blocks_touched, . - blocks_touched

// double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front)
//   rdi: address   rsi: bytes   rdx: instructions   rcx: block   r8: width   result: xmm0
        .globl  least_cycles
        .type   least_cycles, @function
least_cycles:
        cvtsi2sd xmm0, rdx
        cvtsi2sd xmm1, r8
        divsd   xmm0, xmm1
        mov     rdx, rcx
        call    blocks_touched
        cvtsi2sd xmm1, rax
        maxsd   xmm0, xmm1
        ret
        .size   least_cycles, . - least_cycles

// uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block)
//   rdi: address   rsi: bytes   rdx: block   result: rax
        .globl  padding
        .type   padding, @function
padding:
        lea     rcx, [rdx - 1]
        dec     rsi
        and     rsi, rcx                // bytes of the last block that it needs, less 1
        and     rdi, rcx
        sub     rdx, rdi                // bytes to the next block
        xor     eax, eax
        cmp     rsi, rdx
        cmovae  rax, rdx                // not enough
        ret
        .size   padding, . - padding
        .section .note.GNU-stack, "", @progbits
