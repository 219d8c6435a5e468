// The helper keeps a vector in a frame that is aligned if the stack was at the call. It was not.
        .intel_syntax noprefix
        .text
        .type   one, @function
one:
        sub     rsp, 24
        movd    xmm0, [rdi]
        movaps  [rsp], xmm0
        mov     eax, [rsp]
        cmp     eax, edx
        cmovl   eax, edx
        cmp     eax, ecx
        cmovg   eax, ecx
        mov     [rdi], eax
        add     rsp, 24
        ret
        .size   one, . - one

        .globl  clamp
        .type   clamp, @function
clamp:
        test    rsi, rsi
        je      .Ldone
        lea     r8, [rdi + rsi*4]
.Lnext:
        call    one                     // RSP is 8 off
        add     rdi, 4
        cmp     rdi, r8
        jne     .Lnext
.Ldone:
        ret
        .size   clamp, . - clamp
        .section .note.GNU-stack, "", @progbits
