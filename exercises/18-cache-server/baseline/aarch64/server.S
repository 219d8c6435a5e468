// Exercise 18: the baseline, all four parts slow.
//
// struct store: records +0, count +8, limits +16 (7 bytes), scratch +24
// struct record: 64 bytes; key +0, size +8
// struct request: 40 bytes; kind +0, modulus +4, key +8, first +16, last +20, samples +24, words +32
//
// void serve(const struct store *store, const struct request *requests, size_t n, uint64_t *answers)
//   x0: store   x1: requests   x2: n   x3: answers
//
// All the while  x4: records   x5: count   x6: first of each bucket   x7: next of each record   x8: the end of requests
        .text
        .globl  serve
        .type   serve, %function
serve:
        ldp     x4, x5, [x0]
        ldr     x6, [x0, #24]
        add     x7, x6, #4096           // behind 1024 buckets
        mov     x9, #-1
        mov     x10, x6
.Lempty:
        stp     x9, x9, [x10], #16      // four empty buckets
        cmp     x10, x7
        b.ne    .Lempty
        mov     x9, #0                  // the record
        mov     x10, x4
        cbz     x5, .Lindexed
.Lindex:
        ldr     x11, [x10], #64
        and     x11, x11, #1023         // the poor hash: the key's last bits
        ldr     w12, [x6, x11, lsl #2]
        str     w12, [x7, x9, lsl #2]   // next of this one: who was first
        str     w9, [x6, x11, lsl #2]
        add     x9, x9, #1
        cmp     x9, x5
        b.ne    .Lindex
.Lindexed:
        mov     w8, #40
        madd    x8, x2, x8, x1
        cmp     x1, x8
        b.eq    .Ldone
.Lrequest:
        ldr     w9, [x1]
        ldr     x10, [x1, #8]           // the key: the answer of a PING
        cmp     w9, #1
        b.eq    .Lget
        cmp     w9, #2
        b.eq    .Lscan
        cmp     w9, #3
        b.eq    .Lcount
        cmp     w9, #4
        b.eq    .Lcheck
.Lanswer:
        str     x10, [x3], #8
        add     x1, x1, #40
        cmp     x1, x8
        b.ne    .Lrequest
.Ldone:
        ret

.Lget:
        and     x11, x10, #1023
        ldr     w11, [x6, x11, lsl #2]
.Lfollow:
        tbnz    w11, #31, .Lmissing     // the chain's end
        add     x12, x4, x11, lsl #6
        ldr     x13, [x12]
        cmp     x13, x10
        b.eq    .Lfound
        ldr     w11, [x7, x11, lsl #2]  // waits for the one before
        b       .Lfollow
.Lfound:
        ldr     w10, [x12, #8]
        b       .Lanswer
.Lmissing:
        mov     x10, #-1
        b       .Lanswer

.Lscan:
        ldp     w11, w12, [x1, #16]
        mov     x10, #0
        cmp     w11, w12
        b.eq    .Lanswer
        add     x11, x4, x11, lsl #6
        add     x12, x4, x12, lsl #6
.Ladd:
        ldr     w13, [x11, #8]          // 4 bytes of a line
        add     x10, x10, x13
        add     x11, x11, #64
        cmp     x11, x12
        b.ne    .Ladd
        b       .Lanswer

.Lcount:
        ldr     x11, [x1, #24]
        add     x12, x11, #64
        mov     x10, #0
        mov     x14, #1
.Lsample:
        ldrb    w9, [x11], #1
        ldrb    w13, [x0, #19]          // limits[3]
        cmp     w9, w13
        b.hs    .Lupper                 // as likely as not, as all branches on samples
        ldrb    w13, [x0, #17]
        cmp     w9, w13
        b.hs    .Lband23
        ldrb    w13, [x0, #16]
        cmp     w9, w13
        b.hs    .Lband1
        add     x10, x10, #1
        b       .Lcounted
.Lband1:
        add     x10, x10, x14, lsl #8
        b       .Lcounted
.Lband23:
        ldrb    w13, [x0, #18]
        cmp     w9, w13
        b.hs    .Lband3
        add     x10, x10, x14, lsl #16
        b       .Lcounted
.Lband3:
        add     x10, x10, x14, lsl #24
        b       .Lcounted
.Lupper:
        ldrb    w13, [x0, #21]
        cmp     w9, w13
        b.hs    .Lband67
        ldrb    w13, [x0, #20]
        cmp     w9, w13
        b.hs    .Lband5
        add     x10, x10, x14, lsl #32
        b       .Lcounted
.Lband5:
        add     x10, x10, x14, lsl #40
        b       .Lcounted
.Lband67:
        ldrb    w13, [x0, #22]
        cmp     w9, w13
        b.hs    .Lband7
        add     x10, x10, x14, lsl #48
        b       .Lcounted
.Lband7:
        add     x10, x10, x14, lsl #56
.Lcounted:
        cmp     x11, x12
        b.ne    .Lsample
        b       .Lanswer

.Lcheck:
        ldr     w9, [x1, #4]
        ldr     x11, [x1, #32]
        add     x12, x11, #256
        mov     x10, #0
.Lword:
        ldr     w13, [x11], #4
        add     x10, x10, x13
        udiv    x13, x10, x9            // waits for the one before
        msub    x10, x13, x9, x10
        cmp     x11, x12
        b.ne    .Lword
        b       .Lanswer
        .size   serve, . - serve
        .section .note.GNU-stack, "", %progbits
