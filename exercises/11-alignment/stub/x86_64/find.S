// Exercise 11 in x86-64 assembly (Intel syntax), the third file to edit: it is correct as it stands, and its loop lies
// badly. The loop itself may stay as it is.
//
// size_t find_end(const uint8_t *text)
//   rdi: text   result: rax
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .p2align 6
        .rept   36                      // stands for the code of other functions, in front of this one
            nop
        .endr
        .globl  find_end
        .type   find_end, @function
find_end:
        mov     rax, rdi                // texts of up to two bytes
        cmp     byte ptr [rax], 0
        je      .Lfound
        inc     rax
        cmp     byte ptr [rax], 0
        je      .Lfound
        inc     rax
        cmp     byte ptr [rax], 0
        je      .Lfound
.Lnext:                                 // the hot loop: three instructions, eight bytes
        inc     rax
        cmp     byte ptr [rax], 0
        jne     .Lnext
.Lfound:
        sub     rax, rdi
        ret
        .size   find_end, . - find_end
        .section .note.GNU-stack, "", @progbits
