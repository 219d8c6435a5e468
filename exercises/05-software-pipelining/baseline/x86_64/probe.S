// Exercise 5: the baseline of probe. It looks one key up after the other, and nothing is fetched ahead.
//
// uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
//   rdi: table   rsi: mask   rdx: keys   rcx: n   result: rax
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  probe
        .type   probe, @function
probe:
        xor     eax, eax                // sum = 0
        test    rcx, rcx
        je      .Ldone                  // n == 0
        lea     rcx, [rdx + rcx*8]      // the end of keys
        movabs  r11, 0x9e3779b97f4a7c15
        .p2align 6                      // its time does not hang on its place in a line
.Lkey:
        mov     r8, [rdx]
        mov     r9, r8
        imul    r9, r11
        shr     r9, 32                  // its first slot, but for the mask
.Lslot:
        and     r9, rsi
        mov     r10, [rdi + r9*8]
        cmp     r10, r8
        je      .Lfound
        inc     r9
        test    r10, r10
        jne     .Lslot                  // another key: try the next slot
        jmp     .Lstep                  // empty: it is not in the table
.Lfound:
        add     rax, r8
.Lstep:
        add     rdx, 8
        cmp     rdx, rcx
        jne     .Lkey
.Ldone:
        ret
        .size   probe, . - probe
        .section .note.GNU-stack, "", @progbits
