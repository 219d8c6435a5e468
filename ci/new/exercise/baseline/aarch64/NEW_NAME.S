// Exercise NEW_NUMBER: the baseline. FILL-IN: why it is slow. One multiplication an element, each waiting for the last.
//
// uint32_t NEW_NAME(const uint32_t *values, size_t n)
//   x0: values   x1: n   result: w0
        .text
        .globl  NEW_NAME
        .type   NEW_NAME, %function
NEW_NAME:
        mov     w2, #0
        cbz     x1, .Ldone              // n == 0
        ldr     w4, =2654435769
        add     x1, x0, x1, lsl #2      // the end
.Lnext:
        ldr     w3, [x0], #4
        madd    w2, w2, w4, w3          // waits for the one before
        cmp     x0, x1
        b.ne    .Lnext
.Ldone:
        mov     w0, w2
        ret
        .size   NEW_NAME, . - NEW_NAME
        .section .note.GNU-stack, "", %progbits
