// 64 bytes with one instruction, which the machine reads byte by byte.
        .text
        .globl  find_end
        .type   find_end, %function
find_end:
        mov     x1, x0
.Lbyte:
        tst     x1, #63
        b.eq    .Lwide
        ldrb    w2, [x1]
        cbz     w2, .Ldone
        add     x1, x1, #1
        b       .Lbyte
.Lwide:
        ld4     {v0.16b, v1.16b, v2.16b, v3.16b}, [x1], #64
        umin    v4.16b, v0.16b, v1.16b
        umin    v5.16b, v2.16b, v3.16b
        umin    v4.16b, v4.16b, v5.16b
        uminv   b4, v4.16b
        umov    w2, v4.b[0]
        cbnz    w2, .Lwide
        sub     x1, x1, #64
.Llast:
        ldrb    w2, [x1]
        cbz     w2, .Ldone
        add     x1, x1, #1
        b       .Llast
.Ldone:
        sub     x0, x1, x0
        ret
        .size   find_end, . - find_end
        .section .note.GNU-stack, "", %progbits
