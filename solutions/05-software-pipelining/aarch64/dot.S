// Exercise 5: the reference of dot. While element i is added, i + 1 is multiplied and i + 2 loaded: no
// instruction waits for another one of the same iteration. What is left is the chain of the additions.
//
// float dot(const float *a, const float *b, size_t n)
//   x0: a   x1: b   x2: n   result: s0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  dot
        .type   dot, %function
dot:
        movi    v0.2s, #0               // total = 0
        cbz     x2, .Ldone              // n == 0
        ldr     s2, [x0]
        ldr     s3, [x1]
        fmul    s1, s2, s3              // s1: the product of element i
        cmp     x2, #2
        b.lo    .Llast                  // n == 1
        ldr     s2, [x0, #4]
        ldr     s3, [x1, #4]            // s2, s3: element i + 1
        mov     x3, #2                  // the element to load
        b.eq    .Ltwo                   // n == 2
.Lnext:
        fadd    s0, s0, s1              // element i
        fmul    s1, s2, s3              // element i + 1
        ldr     s2, [x0, x3, lsl #2]
        ldr     s3, [x1, x3, lsl #2]    // element i + 2
        add     x3, x3, #1
        cmp     x3, x2
        b.ne    .Lnext
.Ltwo:
        fadd    s0, s0, s1
        fmul    s1, s2, s3
.Llast:
        fadd    s0, s0, s1
.Ldone:
        ret
        .size   dot, . - dot
        .section .note.GNU-stack, "", %progbits
