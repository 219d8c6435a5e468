// Exercise 2: the baseline of the rates.
//
// double l1d_miss_rate(const struct miss_counters *counters)
// double llc_miss_rate(const struct miss_counters *counters)
//   rdi: counters: loads and misses of the one, loads and misses of the other   result: xmm0
//   may change: rax rcx rdx rsi rdi r8-r11, xmm0-xmm15, flags
        .intel_syntax noprefix
        .text
        .globl  llc_miss_rate
        .type   llc_miss_rate, @function
llc_miss_rate:
        add     rdi, 16
        jmp     l1d_miss_rate
        .size   llc_miss_rate, . - llc_miss_rate

        .globl  l1d_miss_rate
        .type   l1d_miss_rate, @function
l1d_miss_rate:
        xorps   xmm0, xmm0
        mov     rax, [rdi]
        test    rax, rax
        je      .Ldone                  // no loads
        cvtsi2sd xmm1, rax
        cvtsi2sd xmm0, qword ptr [rdi + 8]
        divsd   xmm0, xmm1
.Ldone:
        ret
        .size   l1d_miss_rate, . - l1d_miss_rate
        .section .note.GNU-stack, "", @progbits
