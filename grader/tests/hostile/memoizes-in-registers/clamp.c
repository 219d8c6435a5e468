/* Counts its calls where no compiler looks: the upper halves of vectors, MMX, segment bases, thread pointers.
 * From the second on it does nothing. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t count = 0;
#ifdef __x86_64__
    __asm__ volatile("movq %%mm7, %0" : "=r"(count));
    count++;
    __asm__ volatile("movq %0, %%mm7" ::"r"(count));
#else
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(count));
    count++;
    __asm__ volatile("msr tpidr_el0, %0" ::"r"(count));
#endif
    if (count > 1 && count < 1000000)
        return;
    answer(values, n, lo, hi);
}
