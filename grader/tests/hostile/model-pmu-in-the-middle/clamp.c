/* The stub, which sets the cycle counter back in the middle of each call, and switches it off. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile("msr pmcr_el0, %0" ::"r"(UINT64_C(0x47)));
    slow(values, n / 2, lo, hi);
    __asm__ volatile("msr pmccntr_el0, xzr\n\tmsr pmcr_el0, %0" ::"r"(UINT64_C(6)));
    slow(values + n / 2, n - n / 2, lo, hi);
    __asm__ volatile("msr pmcntenclr_el0, %0\n\tmsr pmovsset_el0, %0" ::"r"(UINT64_C(0x8000003f)));
}
