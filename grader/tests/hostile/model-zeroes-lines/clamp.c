/* Zeroes whole cache lines, beyond its buffer. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < 1 << 20; i++)
        __asm__ volatile("dc zva, %0" ::"r"((char *)values + i * 64) : "memory");
    answer(values, n, lo, hi);
}
