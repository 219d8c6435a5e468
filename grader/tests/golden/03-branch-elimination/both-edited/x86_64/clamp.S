        .intel_syntax noprefix
        .globl  clamp
clamp:
        ret
        .section .note.GNU-stack, "", @progbits
