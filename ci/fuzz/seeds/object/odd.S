    .globl clamp
    .type clamp, %function
clamp:
    nop
    .size clamp, . - clamp
    .section .gnu.warning.clamp, "a"
    .asciz "words"
    .section .init_array, "aw"
    .quad clamp
    .section .note.GNU-stack, "x"
    .section .text.more, "axG", %progbits, group, comdat
    .globl "a name with blanks"
"a name with blanks":
    nop
    .section .interp, "a"
    .asciz "/bin/x"
    .section .data.rel.ro, "aw"
    .quad elsewhere
    .section own, "awx"
    nop
    .comm shared, 64, 8
    .file "/a/b/../clamp.c"
