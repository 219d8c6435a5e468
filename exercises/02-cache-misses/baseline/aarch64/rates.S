// Exercise 2: the baseline of the rates.
//
// double l1d_miss_rate(const struct miss_counters *counters)
// double llc_miss_rate(const struct miss_counters *counters)
//   x0: counters: loads and misses of the one, loads and misses of the other   result: d0
//   may change: x0-x17, v0-v7, v16-v31, flags
        .text
        .globl  llc_miss_rate
        .type   llc_miss_rate, %function
llc_miss_rate:
        add     x0, x0, #16
        b       l1d_miss_rate
        .size   llc_miss_rate, . - llc_miss_rate

        .globl  l1d_miss_rate
        .type   l1d_miss_rate, %function
l1d_miss_rate:
        movi    d0, #0
        ldp     x1, x2, [x0]
        cbz     x1, .Ldone              // no loads
        ucvtf   d1, x1
        ucvtf   d0, x2
        fdiv    d0, d0, d1
.Ldone:
        ret
        .size   l1d_miss_rate, . - l1d_miss_rate
        .section .note.GNU-stack, "", %progbits
