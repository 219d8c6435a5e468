/* The counter: given, since reading it is what exercise 1 is about. */
#ifndef ISA_H
#define ISA_H

#include <stdint.h>

/* The time-stamp counter. What is before the call has finished, what is behind it has not begun. */
static inline uint64_t ticks(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
}

#endif
