// Exercise 1 in AArch64 assembly: edit this file or cycles.c, not both.
//
// void counter_enable(void)
// uint64_t cycles_begin(void)        result in x0
// uint64_t cycles_end(void)          result in x0
//   may change: x0-x17, v0-v7, v16-v31, flags
//
// ISB                       what is before it has finished, what is behind it is fetched anew
// MRS x0, CNTVCT_EL0        the virtual counter, where CYCLELAB_PMU is 0
// MRS x0, PMCCNTR_EL0       the cycle counter, where CYCLELAB_PMU is 1
// MSR PMCR_EL0, x0          bits 0, 2 and 6: on, from 0, overflow at 64 bits
// MSR PMCNTENSET_EL0, x0    bit 31: count cycles
        .text

        .globl  counter_enable
        .type   counter_enable, %function
counter_enable:
#if CYCLELAB_PMU
        nop                             // not done yet
#endif
        ret
        .size   counter_enable, . - counter_enable

        .globl  cycles_begin
        .type   cycles_begin, %function
cycles_begin:
        mov     x0, #0                  // not done yet
        ret
        .size   cycles_begin, . - cycles_begin

        .globl  cycles_end
        .type   cycles_end, %function
cycles_end:
        mov     x0, #0                  // not done yet
        ret
        .size   cycles_end, . - cycles_end

        .section .note.GNU-stack, "", %progbits
