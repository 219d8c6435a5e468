// Exercise 17: the PMU, from EL1 and from EL0. The contract is in exercise.h. None of them is done.
        .text

// void pmu_open(const uint16_t *events, size_t n), at EL1
//   x0: events   x1: n, 0 to 6     free for use: x0 to x17
        .globl  pmu_open
        .type   pmu_open, %function
pmu_open:
        isb                             // what is written takes effect
        ret
        .size   pmu_open, . - pmu_open

// void pmu_reset(void), at EL1     free for use: x0 to x17
        .globl  pmu_reset
        .type   pmu_reset, %function
pmu_reset:
        isb
        ret
        .size   pmu_reset, . - pmu_reset

// void pmu_overflow(uint64_t *high), at EL1, the interrupt's handler
//   x0: high     free for use: x0 to x18
        .globl  pmu_overflow
        .type   pmu_overflow, %function
pmu_overflow:
        ret
        .size   pmu_overflow, . - pmu_overflow

// void pmu_read(uint64_t *values, size_t n), at EL0
//   x0: values   x1: n, 0 to 6     free for use: x0 to x17
        .globl  pmu_read
        .type   pmu_read, %function
pmu_read:
        ret
        .size   pmu_read, . - pmu_read
        .section .note.GNU-stack, "", %progbits
