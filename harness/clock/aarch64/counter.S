/* Reads of the virtual counter, fenced by ISB: it waits for everything before it and refetches what follows. */
    .text

/* uint64_t clock_begin(void) and clock_end(void): clobber nothing but x0. */
    .globl clock_begin
    .globl clock_end
    .type clock_begin, %function
    .type clock_end, %function
    .p2align 4
clock_begin:
clock_end:
    isb
    mrs x0, cntvct_el0
    isb
    ret
    .size clock_begin, . - clock_begin
    .size clock_end, . - clock_end

    .section .note.GNU-stack, "", %progbits
