/* Traps by the floating-point unit, at the first inexact result. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile(
        "msr fpcr, %0\n\tfmov d0, #3.0\n\tfmov d1, #1.0\n\tfdiv d0, d1, d0" ::"r"(UINT64_C(0x9f00))
        : "d0", "d1");
    slow(values, n, lo, hi);
}
