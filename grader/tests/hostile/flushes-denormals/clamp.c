/* Leaves the floating-point unit so that denormal numbers trap or are slow for who comes next. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    unsigned control = 0x1e80 & ~0x100;
    __asm__ volatile("ldmxcsr %0" ::"m"(control));
#else
    __asm__ volatile("msr fpcr, %0" ::"r"(UINT64_C(0x1c09f00)));
#endif
    answer(values, n, lo, hi);
}
