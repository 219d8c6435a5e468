// Exercise 6 in x86-64 assembly (Intel syntax): the file to edit. add_chain and add_streams are done, as an example; the others
// do nothing yet. `.rept 32` ... `.endr` writes what is between them 32 times.
//
// may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags; what else you use, push and pop
        .intel_syntax noprefix
        .text

// uint64_t add_chain(uint64_t x, uint64_t y, uint64_t turns)
//   rdi: x   rsi: y   rdx: turns   result: rax
        .globl  add_chain
        .type   add_chain, @function
add_chain:
        mov     rax, rdi
        test    rdx, rdx
        je      .Ladd_chain_done
        .p2align 6
.Ladd_chain:
        .rept   32
            add     rax, rsi
        .endr
        dec     rdx
        jne     .Ladd_chain
.Ladd_chain_done:
        ret
        .size   add_chain, . - add_chain

// uint64_t multiply_chain(uint64_t x, uint64_t y, uint64_t turns)
//   the same
        .globl  multiply_chain
        .type   multiply_chain, @function
multiply_chain:
        mov     rax, rdi
        ret
        .size   multiply_chain, . - multiply_chain

// double fp_add_chain(double x, double y, uint64_t turns)
//   xmm0: x   xmm1: y   rdi: turns   result: xmm0
        .globl  fp_add_chain
        .type   fp_add_chain, @function
fp_add_chain:
        ret
        .size   fp_add_chain, . - fp_add_chain

// const void *load_chain(const void *x, uint64_t turns)
//   rdi: x   rsi: turns   result: rax
        .globl  load_chain
        .type   load_chain, @function
load_chain:
        mov     rax, rdi
        ret
        .size   load_chain, . - load_chain

// void *store_load_chain(void *x, uint64_t turns)
//   the same
        .globl  store_load_chain
        .type   store_load_chain, @function
store_load_chain:
        mov     rax, rdi
        ret
        .size   store_load_chain, . - store_load_chain

// void add_streams(uint64_t x[8], uint64_t y, uint64_t turns)
//   rdi: x   rsi: y   rdx: turns
        .globl  add_streams
        .type   add_streams, @function
add_streams:
        push    rbx
        push    rdi
        mov     rax, [rdi]
        mov     rcx, [rdi + 8]
        mov     r8, [rdi + 16]
        mov     r9, [rdi + 24]
        mov     r10, [rdi + 32]
        mov     r11, [rdi + 40]
        mov     rbx, [rdi + 48]
        mov     rdi, [rdi + 56]
        test    rdx, rdx
        je      .Ladd_streams_done
        .p2align 6
.Ladd_streams:
        .rept   4
            add     rax, rsi
            add     rcx, rsi
            add     r8, rsi
            add     r9, rsi
            add     r10, rsi
            add     r11, rsi
            add     rbx, rsi
            add     rdi, rsi
        .endr
        dec     rdx
        jne     .Ladd_streams
.Ladd_streams_done:
        mov     rdx, rdi
        pop     rdi
        mov     [rdi], rax
        mov     [rdi + 8], rcx
        mov     [rdi + 16], r8
        mov     [rdi + 24], r9
        mov     [rdi + 32], r10
        mov     [rdi + 40], r11
        mov     [rdi + 48], rbx
        mov     [rdi + 56], rdx
        pop     rbx
        ret
        .size   add_streams, . - add_streams

// void multiply_streams(uint64_t x[8], uint64_t y, uint64_t turns)
//   the same
        .globl  multiply_streams
        .type   multiply_streams, @function
multiply_streams:
        ret
        .size   multiply_streams, . - multiply_streams

// void fp_add_streams(double x[8], double y, uint64_t turns)
//   rdi: x   xmm0: y   rsi: turns
        .globl  fp_add_streams
        .type   fp_add_streams, @function
fp_add_streams:
        ret
        .size   fp_add_streams, . - fp_add_streams

// void load_streams(const void *x[8], uint64_t turns)
//   rdi: x   rsi: turns
        .globl  load_streams
        .type   load_streams, @function
load_streams:
        ret
        .size   load_streams, . - load_streams

// void store_load_streams(void *x[8], uint64_t turns)
//   the same
        .globl  store_load_streams
        .type   store_load_streams, @function
store_load_streams:
        ret
        .size   store_load_streams, . - store_load_streams

        .section .note.GNU-stack, "", @progbits
