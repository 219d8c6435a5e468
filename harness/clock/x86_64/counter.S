/* Reads of the time-stamp counter, fenced so that the timed region neither leaks out nor lets code in.
 * LFENCE waits until everything before it has completed and holds back everything after it. */
    .text

/* uint64_t clock_begin(void): clobbers rdx. The second fence keeps the region from starting before the read. */
    .globl clock_begin
    .type clock_begin, @function
    .p2align 4
clock_begin:
    lfence
    rdtsc
    lfence
    shl $32, %rdx
    or %rdx, %rax
    ret
    .size clock_begin, . - clock_begin

/* uint64_t clock_end(void): clobbers rcx, rdx. RDTSCP itself waits for the region to finish; the fence keeps
 * what follows out of it. */
    .globl clock_end
    .type clock_end, @function
    .p2align 4
clock_end:
    rdtscp
    lfence
    shl $32, %rdx
    or %rdx, %rax
    ret
    .size clock_end, . - clock_end

    .section .note.GNU-stack, "", @progbits
