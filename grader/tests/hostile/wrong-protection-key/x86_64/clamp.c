/* Takes all memory away by its protection key, where the CPU has them. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile("wrpkru" ::"a"(-1), "c"(0), "d"(0) : "memory");
    answer(values, n, lo, hi);
}
