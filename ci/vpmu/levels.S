// void levels(uint64_t *results), at EL1
#define TAKEN                                                                                   \
        str     x20, [x19], #8; sub x21, x21, x1; str x21, [x19], #8;                           \
        str     x22, [x19], #8; orr x23, x23, x26, lsl #16; str x23, [x19], #8

#define AT0(name, user, ...)                                                                    \
        mov     x1, user; msr pmuserenr_el0, x1; isb; adr x24, 2f; adr x1, 1f; msr elr_el1, x1; \
        msr     spsr_el1, x25; add w25, w25, w27; eret;                                         \
1:      __VA_ARGS__; svc #0x77;                                                                 \
2:      adr     x1, 1b; TAKEN

#define AT1(name, ...)                                                                          \
        adr     x24, 2f; cmp xzr, xzr;                                                          \
1:      __VA_ARGS__; svc #0x77;                                                                 \
2:      adr     x1, 1b; TAKEN

#define CLASS0(name, user, ...)                                                                 \
        AT0(name, user, __VA_ARGS__); ldr x20, [x19, #-32]; lsr x20, x20, #26; str x20, [x19, #-32]

#define COUNTED(name, filter, ...)                                                              \
        ldr     x1, =filter + 8; msr pmevtyper2_el0, x1; msr pmevcntr2_el0, xzr;                \
        mov     x1, #1; msr pmcr_el0, x1; adr x24, 2f; adr x1, 1f; msr elr_el1, x1;             \
        msr     spsr_el1, xzr; mov x1, #4; msr pmcntenset_el0, x1; isb; eret;                   \
1:      __VA_ARGS__; svc #0x77;                                                                 \
2:      mov     x1, #4; msr pmcntenclr_el0, x1; isb; mrs x1, pmevcntr2_el0; str x1, [x19], #8

        .macro  vector offset
        .p2align 7
        mov     x26, \offset
        b       taken
        .endm

        .text
        .globl  levels
        .type   levels, %function
levels:
        stp     x19, x20, [sp, #-80]!
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x30, [sp, #64]
        mov     x19, x0
        mov     x25, #0                         // flags at EL0, others each time
        mov     x27, #0x10000000
        adr     x1, vectors
        msr     vbar_el1, x1
        isb
#include "ci/vpmu/levels.inc"
        ldp     x27, x30, [sp, #64]
        ldp     x25, x26, [sp, #48]
        ldp     x23, x24, [sp, #32]
        ldp     x21, x22, [sp, #16]
        ldp     x19, x20, [sp], #80
        ret
taken:
        mrs     x20, esr_el1
        mrs     x21, elr_el1
        mrs     x22, spsr_el1
        mrs     x23, daif
        br      x24
        .size   levels, . - levels

        .p2align 11
        .type   vectors, %function
vectors:
        .irp    offset, 0, 0x80, 0x100, 0x180, 0x200, 0x280, 0x300, 0x380, 0x400, 0x480, 0x500, 0x580, 0x600, 0x680, 0x700, 0x780
        vector  \offset
        .endr
        .size   vectors, . - vectors
        .section .note.GNU-stack, "", %progbits
