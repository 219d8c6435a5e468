// Exercise 2: the baseline of the ring: every lap follows the links.
//
// uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
//   rdi: first   rsi: n   rdx: laps   rcx: scratch, unused   result: rax
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  ring_hash
        .type   ring_hash, @function
ring_hash:
        xor     eax, eax
        imul    rsi, rdx                // the visits
        test    rsi, rsi
        je      .Ldone
        .p2align 4
.Lvisit:
        mov     rdx, [rdi + 8]          // a + b + c + d, a line each
        add     rdx, [rdi + 64]
        add     rdx, [rdi + 128]
        add     rdx, [rdi + 192]
        mov     rdi, [rdi]              // the next record
        mov     rcx, rax
        rol     rcx, 7
        xor     rax, rdx
        add     rax, rcx
        dec     rsi
        jne     .Lvisit
.Ldone:
        ret
        .size   ring_hash, . - ring_hash
        .section .note.GNU-stack, "", @progbits
