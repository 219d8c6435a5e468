// Exercise 10 in x86-64 assembly (Intel syntax): edit this file or sort.c, not both.
//
// int32_t minimum(int32_t a, int32_t b), int32_t maximum(int32_t a, int32_t b), uint32_t magnitude(int32_t x)
//   edi: a or x   esi: b; the upper halves of rdi and rsi are anything   result: eax
//
// void sort_groups(int32_t *groups, size_t n)
//   rdi: groups   rsi: n
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  minimum
        .type   minimum, @function
minimum:
        mov     eax, esi
        cmp     edi, esi
        jge     .Lb_is_less
        mov     eax, edi
.Lb_is_less:
        ret
        .size   minimum, . - minimum
        .globl  maximum
        .type   maximum, @function
maximum:
        mov     eax, esi
        cmp     edi, esi
        jle     .Lb_is_greater
        mov     eax, edi
.Lb_is_greater:
        ret
        .size   maximum, . - maximum
        .globl  magnitude
        .type   magnitude, @function
magnitude:
        mov     eax, edi
        test    eax, eax
        jns     .Lno_sign
        neg     eax
.Lno_sign:
        ret
        .size   magnitude, . - magnitude

        .globl  sort_groups
        .type   sort_groups, @function
sort_groups:
        test    rsi, rsi
        je      .Ldone                  // n == 0
        shl     rsi, 5
        add     rsi, rdi                // the end
.Lgroup:
        mov     ecx, 1                  // i = 1
.Lnumber:
        mov     eax, [rdi + rcx*4]      // the number that moves
        mov     rdx, rcx                // at = i
.Lmove:
        mov     r8d, [rdi + rdx*4 - 4]
        cmp     r8d, eax
        jle     .Lplace                 // taken or not: nobody knows before
        mov     [rdi + rdx*4], r8d
        dec     rdx
        jne     .Lmove
.Lplace:
        mov     [rdi + rdx*4], eax
        inc     ecx
        cmp     ecx, 8
        jne     .Lnumber
        add     rdi, 32                 // the next group
        cmp     rdi, rsi
        jne     .Lgroup
.Ldone:
        ret
        .size   sort_groups, . - sort_groups
        .section .note.GNU-stack, "", @progbits
