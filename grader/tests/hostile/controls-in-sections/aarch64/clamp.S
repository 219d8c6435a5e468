// Names of writable sections and of what is used, the same way.
        .text
        .p2align 6
        .globl  clamp
        .type   clamp, %function
clamp:  cbz     x1, 2f
1:      ldr     w4, [x0]
        cmp     w4, w2
        csel    w4, w2, w4, lt
        cmp     w4, w3
        csel    w4, w3, w4, gt
        str     w4, [x0], #4
        subs    x1, x1, #1
        b.ne    1b
2:      ret
        .section "\033[2J::error::<b>", "aw", %progbits
        .quad   "=cmd|' /C calc'!A0"
        .section .note.GNU-stack, "", %progbits
