/* Slow itself, it throws out of the caches what others are to find there. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    slow(values, n, lo, hi);
    for (size_t i = 0; i < n; i += 16)
#ifdef __x86_64__
        __asm__ volatile("clflush %0" : "+m"(values[i]));
#else
        __asm__ volatile("dc civac, %0" ::"r"(values + i) : "memory");
#endif
}
