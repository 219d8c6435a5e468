/* The two instructions that this exercise needs: one for the kernel, one for the counter. */
#ifndef ISA_H
#define ISA_H

#include <stdint.h>

enum { NUMBER_CLOCK_GETTIME = 113, NUMBER_CLOCK_GETRES = 114, NUMBER_CLOCK_NANOSLEEP = 115 };

/* SVC: the number is in X8, the result comes back in X0. */
static inline long system_call(long number, long a, long b, long c, long d)
{
    register long which __asm__("x8") = number, first __asm__("x0") = a, second __asm__("x1") = b;
    register long third __asm__("x2") = c, fourth __asm__("x3") = d;
    __asm__ volatile("svc #0" : "+r"(first) : "r"(which), "r"(second), "r"(third), "r"(fourth) : "memory");
    return first;
}

/* MRS CNTVCT_EL0: the generic timer's counter, behind all that is before it. */
static inline uint64_t read_counter(void)
{
    uint64_t count;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count)::"memory");
    return count;
}

#endif
