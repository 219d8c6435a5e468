// Exercise 8: the baseline. Four passes, each through memory; and columns from top to bottom, a row's length apart.
        .intel_syntax noprefix
        .text

// uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n, const struct correction *correction)
//   rdi: samples   rsi: scratch   rdx: n   rcx: correction   result: rax
        .globl  corrected_sum
        .type   corrected_sum, @function
        .p2align 6
corrected_sum:
        xor     eax, eax                // sum = 0
        test    rdx, rdx
        je      .Ldone                  // n == 0
        mov     r8d, [rcx]              // offset
        mov     r9d, [rcx + 4]          // gain
        mov     ecx, [rcx + 8]          // shift
        xor     r10d, r10d
.Loffset:
        movzx   r11d, word ptr [rdi + r10*2]
        sub     r11d, r8d
        mov     [rsi + r10*4], r11d
        inc     r10
        cmp     r10, rdx
        jne     .Loffset
        xor     r10d, r10d
.Lgain:
        mov     r11d, [rsi + r10*4]
        imul    r11d, r9d
        mov     [rsi + r10*4], r11d
        inc     r10
        cmp     r10, rdx
        jne     .Lgain
        xor     r10d, r10d
.Lshift:
        mov     r11d, [rsi + r10*4]
        mov     r8d, r11d
        shr     r8d, cl
        xor     r11d, r8d
        mov     [rsi + r10*4], r11d
        inc     r10
        cmp     r10, rdx
        jne     .Lshift
        xor     r10d, r10d
.Lsum:
        mov     r11d, [rsi + r10*4]
        add     rax, r11
        inc     r10
        cmp     r10, rdx
        jne     .Lsum
.Ldone:
        ret
        .size   corrected_sum, . - corrected_sum

// void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
//   rdi: sums   rsi: matrix   rdx: rows   rcx: columns
        .globl  column_sums
        .type   column_sums, @function
        .p2align 6
column_sums:
        test    rcx, rcx
        je      .Lend                   // no columns
        lea     r10, [rcx*4]            // the length of a row
        lea     rcx, [rdi + rcx*8]      // the end of the sums
.Lcolumn:
        xor     eax, eax
        mov     r8, rsi                 // the column's number in row 0
        mov     r9, rdx
        test    r9, r9
        je      .Lset                   // no rows
.Lrow:
        mov     r11d, [r8]
        add     rax, r11
        add     r8, r10
        dec     r9
        jne     .Lrow
.Lset:
        mov     [rdi], rax
        add     rsi, 4
        add     rdi, 8
        cmp     rdi, rcx
        jne     .Lcolumn
.Lend:
        ret
        .size   column_sums, . - column_sums
        .section .note.GNU-stack, "", @progbits
