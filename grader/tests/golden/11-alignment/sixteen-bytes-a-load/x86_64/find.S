// Right, and many bytes a load: another loop, where the contract asks for the place of this one.
        .intel_syntax noprefix
        .text
        .macro  zeros                   // r8: bit i says that byte i of the 64 at rax is 0
        .irp    at, 48, 32, 16, 0
        movdqa  xmm1, [rax + \at]
        pcmpeqb xmm1, xmm0
        pmovmskb edx, xmm1
        shl     r8, 16
        or      r8, rdx
        .endr
        .endm
        .globl  find_end
        .type   find_end, @function
find_end:
        pxor    xmm0, xmm0
        mov     rax, rdi
        and     rax, -64
        zeros
        mov     ecx, edi
        and     ecx, 63
        shr     r8, cl                  // what lies in front of the text
        bsf     rax, r8
        jne     .Lreturn
        mov     rax, rdi
        and     rax, -64
        .p2align 6
.Lnext:
        add     rax, 64
        movdqa  xmm1, [rax]
        movdqa  xmm2, [rax + 32]
        pminub  xmm1, [rax + 16]
        pminub  xmm2, [rax + 48]
        pminub  xmm1, xmm2
        pcmpeqb xmm1, xmm0
        pmovmskb edx, xmm1
        test    edx, edx
        je      .Lnext
        zeros
        bsf     r8, r8
        add     rax, r8
        sub     rax, rdi
.Lreturn:
        ret
        .size   find_end, . - find_end
        .section .note.GNU-stack, "", @progbits
