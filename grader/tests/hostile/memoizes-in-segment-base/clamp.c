/* Counts its calls in the base of a segment, which user code may set where the CPU has FSGSBASE. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t count = 0;
#ifdef __x86_64__
    __asm__ volatile("rdgsbase %0" : "=r"(count));
    count++;
    __asm__ volatile("wrgsbase %0" ::"r"(count));
#else
    __asm__ volatile("mrs %0, fpsr" : "=r"(count));
    count = (count & 0x9f) + 1;
    __asm__ volatile("msr fpsr, %0" ::"r"(count & 0x9f));
#endif
    if (count > 1 && count < 1000000)
        return;
    answer(values, n, lo, hi);
}
