/* Returns from an exception that there was not, to where it chooses. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile("msr elr_el1, %0\n\teret" ::"r"(clamp) : "memory");
    answer(values, n, lo, hi);
}
