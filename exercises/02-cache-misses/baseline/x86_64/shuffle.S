// Exercise 2: the baseline of the shuffle (Fisher and Yates).
//
// void shuffle(uint32_t *index, size_t n, uint64_t seed)
//   rdi: index   rsi: n   rdx: seed
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  shuffle
        .type   shuffle, @function
shuffle:
        mov     r8, rdx                 // the state of the random numbers
        movabs  r9, 0xbf58476d1ce4e5b9
        movabs  r10, 0x94d049bb133111eb
        movabs  r11, 0x9e3779b97f4a7c15
        xor     eax, eax
.Lcount:
        cmp     rax, rsi
        jae     .Lswap
        mov     [rdi + rax*4], eax      // index[i] = i
        inc     rax
        jmp     .Lcount
.Lswap:
        cmp     rsi, 2
        jb      .Ldone
        add     r8, r11                 // the next random number, as random_below has it
        mov     rax, r8
        mov     rcx, r8
        shr     rcx, 30
        xor     rax, rcx
        imul    rax, r9
        mov     rcx, rax
        shr     rcx, 27
        xor     rax, rcx
        imul    rax, r10
        mov     rcx, rax
        shr     rcx, 31
        xor     rax, rcx
        mul     rsi                     // rdx: a number below rsi
        dec     rsi
        mov     eax, [rdi + rsi*4]      // the last of those that are left, and the chosen one
        mov     ecx, [rdi + rdx*4]
        mov     [rdi + rsi*4], ecx
        mov     [rdi + rdx*4], eax
        jmp     .Lswap
.Ldone:
        ret
        .size   shuffle, . - shuffle
        .section .note.GNU-stack, "", @progbits
