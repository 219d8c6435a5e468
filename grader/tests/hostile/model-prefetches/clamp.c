/* The stub, which asks for more lines than any core can have under way, all over the address space. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (uint64_t i = 0; i < 4096 && n > 4096; i++)
        __asm__ volatile("prfm pldl1keep, [%0]" ::"r"(i * UINT64_C(0x9e3779b97f4a7c15)));
    slow(values, n, lo, hi);
}
