// The function is an address where other code lies.
        .globl  clamp
        .type   clamp, %function
        clamp = 0x401000
        .section .note.GNU-stack, "", %progbits
