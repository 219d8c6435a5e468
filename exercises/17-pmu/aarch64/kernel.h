/* The kernel around the student's part: vectors, a visit to EL0, the PMU's registers. Trusted. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include "glue.h"

/* Call function(argument) at EL0, with interrupts open, until it returns or takes an exception that it should
 * not. `kernel` says then how it was. */
void el0_call(void (*function)(void *argument), void *argument, struct kernel *kernel);

_Static_assert(offsetof(struct kernel, ending) == 8 && offsetof(struct kernel, syndrome) == 16 &&
                   offsetof(struct kernel, link) == 24 && offsetof(struct kernel, interrupts) == 32 &&
                   offsetof(struct kernel, high) == 40,
               "the offsets below");
_Static_assert(ENDED_BY_EXCEPTION == 1 && ENDED_BY_STORM == 2 && STORM == 64, "the numbers below");

__asm__(".text\n"
        ".macro routine name\n\t.p2align 2\n\t.type \\name, %function\n\\name:\n.endm\n"
        ".macro done name\n\t.size \\name, . - \\name\n.endm\n"
        ".macro vector target\n\t.p2align 7\n\tb \\target\n.endm\n"

        /* void el0_call(x0: function, x1: its argument, x2: kernel) */
        "routine el0_call\n"
        "\tstp x29, x30, [sp, #-176]!\n"
        "\tstp x19, x20, [sp, #16]\n\tstp x21, x22, [sp, #32]\n\tstp x23, x24, [sp, #48]\n"
        "\tstp x25, x26, [sp, #64]\n\tstp x27, x28, [sp, #80]\n"
        "\tstp d8, d9, [sp, #96]\n\tstp d10, d11, [sp, #112]\n\tstp d12, d13, [sp, #128]\n"
        "\tstp d14, d15, [sp, #144]\n"
        "\tmov x3, sp\n\tstr x3, [x2]\n"
        "\tmsr tpidr_el1, x2\n"
        "\tsub x3, x3, #0x20, lsl #12\n\tmsr sp_el0, x3\n"
        "\tadr x3, el0_vectors\n\tmsr vbar_el1, x3\n"
        "\tadr x3, el0_main\n\tmsr elr_el1, x3\n"
        "\tmsr spsr_el1, xzr\n" /* EL0, nothing masked */
        "\tmov x19, x0\n\tmov x0, x1\n"
        "\tisb\n\teret\n"
        "done el0_call\n"

        /* At EL0. SVC 0 ends the visit. */
        "routine el0_main\n\tblr x19\n\tsvc #0\ndone el0_main\n"

        /* The end of a visit: x0 is how. */
        "routine el0_end\n"
        "\tmrs x2, tpidr_el1\n\tstr x0, [x2, #8]\n"
        "\tmrs x1, esr_el1\n\tstr x1, [x2, #16]\n\tmrs x1, elr_el1\n\tstr x1, [x2, #24]\n"
        "\tldr x3, [x2]\n\tmov sp, x3\n"
        "\tldp x19, x20, [sp, #16]\n\tldp x21, x22, [sp, #32]\n\tldp x23, x24, [sp, #48]\n"
        "\tldp x25, x26, [sp, #64]\n\tldp x27, x28, [sp, #80]\n"
        "\tldp d8, d9, [sp, #96]\n\tldp d10, d11, [sp, #112]\n\tldp d12, d13, [sp, #128]\n"
        "\tldp d14, d15, [sp, #144]\n"
        "\tldp x29, x30, [sp], #176\n\tret\n"
        "done el0_end\n"

        "routine el0_synchronous\n"
        "\tmrs x0, esr_el1\n\tmovz w1, #0x5600, lsl #16\n" /* SVC 0 */
        "\tcmp x0, x1\n\tcset x0, ne\n\tb el0_end\n"
        "done el0_synchronous\n"

        "routine el0_interrupt\n"
        "\tstp x0, x1, [sp, #-192]!\n\tstp x2, x3, [sp, #16]\n\tstp x4, x5, [sp, #32]\n"
        "\tstp x6, x7, [sp, #48]\n\tstp x8, x9, [sp, #64]\n\tstp x10, x11, [sp, #80]\n"
        "\tstp x12, x13, [sp, #96]\n\tstp x14, x15, [sp, #112]\n\tstp x16, x17, [sp, #128]\n"
        "\tstp x18, x30, [sp, #144]\n"
        "\tmrs x0, elr_el1\n\tmrs x1, spsr_el1\n\tstp x0, x1, [sp, #160]\n"
        "\tmrs x2, tpidr_el1\n\tldr x1, [x2, #32]\n\tadd x1, x1, #1\n\tstr x1, [x2, #32]\n"
        "\tcmp x1, #64\n\tmov x0, #2\n\tb.eq el0_end\n"
        "\tadd x0, x2, #40\n\tbl pmu_overflow\n\tisb\n"
        "\tldp x0, x1, [sp, #160]\n\tmsr elr_el1, x0\n\tmsr spsr_el1, x1\n"
        "\tldp x2, x3, [sp, #16]\n\tldp x4, x5, [sp, #32]\n\tldp x6, x7, [sp, #48]\n"
        "\tldp x8, x9, [sp, #64]\n\tldp x10, x11, [sp, #80]\n\tldp x12, x13, [sp, #96]\n"
        "\tldp x14, x15, [sp, #112]\n\tldp x16, x17, [sp, #128]\n\tldp x18, x30, [sp, #144]\n"
        "\tldp x0, x1, [sp], #192\n\teret\n"
        "done el0_interrupt\n"

        /* From EL1 itself nothing should come: 0x200 on is left to the end of the visit. */
        "\t.p2align 11\n\t.type el0_vectors, %function\nel0_vectors:\n"
        ".rept 8\n\tvector el0_synchronous\n.endr\n"
        "\tvector el0_synchronous\n\tvector el0_interrupt\n"
        ".rept 6\n\tvector el0_synchronous\n.endr\n"
        "done el0_vectors\n"
        "\t.purgem routine\n\t.purgem done\n\t.purgem vector\n");

#define READ(NAME)                                                                                           \
    __extension__({                                                                                          \
        uint64_t value_;                                                                                     \
        __asm__ volatile("mrs %0, " NAME : "=r"(value_)::"memory");                                          \
        value_;                                                                                              \
    })
#define WRITE(NAME, VALUE) __asm__ volatile("msr " NAME ", %0" ::"r"((uint64_t)(VALUE)) : "memory")
#define SYNCHRONIZE()      __asm__ volatile("isb" ::: "memory")

static inline void look(struct registers *registers)
{
    SYNCHRONIZE();
    registers->control = READ("pmcr_el0");
    registers->enabled = READ("pmcntenset_el0");
    registers->interrupting = READ("pmintenset_el1");
    registers->overflowed = READ("pmovsset_el0");
    registers->user = READ("pmuserenr_el0");
    registers->cycles = READ("pmccntr_el0");
    registers->cycle_filter = READ("pmccfiltr_el0");
    registers->selected = READ("pmselr_el0");
    for (uint64_t i = 0; i < COUNTERS; i++) {
        WRITE("pmselr_el0", i);
        SYNCHRONIZE();
        registers->type[i] = READ("pmxevtyper_el0");
        registers->count[i] = READ("pmxevcntr_el0");
    }
}

/* Counter i: its event with the filter's bits, and its count. */
static inline void set_counter(uint64_t i, uint64_t type, uint64_t count)
{
    WRITE("pmselr_el0", i);
    SYNCHRONIZE();
    WRITE("pmxevtyper_el0", type);
    WRITE("pmxevcntr_el0", count);
}

#endif
