/* Calls itself without end. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    clamp(values, n, lo, hi);
    __asm__ volatile("" ::: "memory");
    values[0] = 0;
}
