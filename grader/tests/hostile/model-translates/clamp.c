/* Asks how addresses are translated, and has translations forgotten. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile("at s1e1r, %0\n\ttlbi vmalle1\n\tmsr sctlr_el1, %0" ::"r"(values) : "memory");
    answer(values, n, lo, hi);
}
