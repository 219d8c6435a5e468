// Exercise 2: the baseline of the walks.
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text

// void walk_sequential(uint32_t *array, size_t n)
//   rdi: array   rsi: n
        .globl  walk_sequential
        .type   walk_sequential, @function
walk_sequential:
        test    rsi, rsi
        je      .Lsequential_done
        lea     rsi, [rdi + rsi*4]      // the end
        .p2align 4
.Lsequential:
        inc     dword ptr [rdi]
        add     rdi, 4
        cmp     rdi, rsi
        jne     .Lsequential
.Lsequential_done:
        ret
        .size   walk_sequential, . - walk_sequential

// void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
//   rdi: array   rsi: index   rdx: n
        .globl  walk_shuffled
        .type   walk_shuffled, @function
walk_shuffled:
        test    rdx, rdx
        je      .Lshuffled_done
        lea     rdx, [rsi + rdx*4]      // the end of index
        .p2align 4
.Lshuffled:
        mov     eax, [rsi]
        add     rsi, 4
        inc     dword ptr [rdi + rax*4]
        cmp     rsi, rdx
        jne     .Lshuffled
.Lshuffled_done:
        ret
        .size   walk_shuffled, . - walk_shuffled
        .section .note.GNU-stack, "", @progbits
