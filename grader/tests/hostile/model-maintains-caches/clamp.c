/* Cleans and invalidates, with and without addresses that exist. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile("ic ivau, %0\n\tdc cvau, %0\n\tdc ivac, %0\n\tic iallu" ::"r"(UINT64_C(0x7f0000000000))
                     : "memory");
    answer(values, n, lo, hi);
}
