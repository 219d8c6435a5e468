/* Counts its calls in vector registers. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t count = 0;
#ifdef __x86_64__
    __asm__ volatile("movq %%xmm15, %0" : "=r"(count));
    count++;
    __asm__ volatile("movq %0, %%xmm15" ::"r"(count) : "xmm15");
#else
    __asm__ volatile("fmov %0, d31" : "=r"(count));
    count++;
    __asm__ volatile("fmov d31, %0" ::"r"(count) : "v31");
#endif
    if (count > 1 && count < 1000000)
        return;
    answer(values, n, lo, hi);
}
