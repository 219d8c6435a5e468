// Exercise 13: the baseline. Each order is loaded when its turn comes, in all its bytes, each day anew.
        .intel_syntax noprefix
        .text

// uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
//   rdi: orders   rsi: wanted   rdx: n   result: rax
        .globl  total
        .type   total, @function
        .p2align 6
total:
        xor     eax, eax                // sum
        lea     rdx, [rsi + rdx*4]      // the end of wanted
        cmp     rsi, rdx
        je      .Ldone
.Lorder:
        mov     ecx, [rsi]
        add     rsi, 4
        shl     rcx, 6
        add     rcx, rdi                // the order
        mov     r8d, [rcx]              // its items
        test    r8d, r8d
        je      .Lnext
.Litem:
        add     rcx, 4
        mov     r9d, [rcx]
        add     rax, r9
        dec     r8d
        jne     .Litem
.Lnext:
        cmp     rsi, rdx
        jne     .Lorder
.Ldone:
        ret
        .size   total, . - total

// void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
//             size_t days, void *scratch)
//   rdi: totals   rsi: orders   rcx: wanted   r8: n   r9: days
        .globl  totals
        .type   totals, @function
        .p2align 6
totals:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        mov     rbx, rdi
        mov     rbp, rsi
        mov     r12, rcx
        mov     r13, r8
        mov     r14, r9
        test    r14, r14
        je      .Lend
.Lday:
        mov     rdi, rbp
        mov     rsi, r12
        mov     rdx, r13
        call    total
        mov     [rbx], rax
        add     rbx, 8
        lea     r12, [r12 + r13*4]
        dec     r14
        jne     .Lday
.Lend:
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .size   totals, . - totals
        .section .note.GNU-stack, "", @progbits
