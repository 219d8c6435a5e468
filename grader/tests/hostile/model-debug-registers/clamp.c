/* Breakpoints, single steps, and the debugger's own registers. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile("msr mdscr_el1, %0\n\tmsr oslar_el1, xzr" ::"r"(1L));
    answer(values, n, lo, hi);
}
