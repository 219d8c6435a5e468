// The function itself begins at an odd address; it is written as data, which the assembler does not align.
        .text
        .globl  clamp
        .type   clamp, %function
        .byte   0
clamp:  .long   0xd65f03c0
        .section .note.GNU-stack, "", %progbits
