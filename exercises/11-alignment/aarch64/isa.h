/* The counter: given, since reading it is what exercise 1 is about. */
#ifndef ISA_H
#define ISA_H

#include <stdint.h>
#include "exercise.h"

/* The cycle counter of the PMU, or where that is closed the virtual counter. What is before the call has
 * finished, what is behind it has not begun. */
static inline uint64_t ticks(void)
{
    uint64_t count;
#if CYCLELAB_PMU
    __asm__ volatile("isb\n\tmrs %0, pmccntr_el0\n\tisb" : "=r"(count)::"memory");
#else
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count)::"memory");
#endif
    return count;
}

#endif
