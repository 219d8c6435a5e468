/* The two instructions that this exercise needs: one for the kernel, one for the counter. */
#ifndef ISA_H
#define ISA_H

#include <stdint.h>

enum { NUMBER_CLOCK_GETTIME = 228, NUMBER_CLOCK_GETRES = 229, NUMBER_CLOCK_NANOSLEEP = 230 };

/* SYSCALL: the number is in RAX, where the result comes back; RCX and R11 are lost. */
static inline long system_call(long number, long a, long b, long c, long d)
{
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
    return number;
}

/* RDTSC: the time-stamp counter in EDX:EAX, behind all that is before it. */
static inline uint64_t read_counter(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
}

#endif
