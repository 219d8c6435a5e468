/* The instructions that this exercise is about, for answers in C: one each. */
#ifndef ISA_H
#define ISA_H

#include <stdint.h>

/* LFENCE: waits until everything before has finished, and lets nothing behind it begin. */
static inline void fence(void)
{
    __asm__ volatile("lfence" ::: "memory");
}

/* RDTSC: the time-stamp counter in EDX:EAX. By itself it waits for nothing. */
static inline uint64_t read_counter(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

#endif
