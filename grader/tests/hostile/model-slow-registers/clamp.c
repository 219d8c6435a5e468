/* A system register of any program, for which an emulator leaves the code that it has translated. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (int i = 0; i < (n > 1000 ? 2000000 : 20000); i++)
        __asm__ volatile("msr tpidr_el0, %0" ::"r"(n));
    answer(values, n, lo, hi);
}
