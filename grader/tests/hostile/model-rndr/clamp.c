/* Random numbers: two runs would not be the same. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t r;
    __asm__ volatile("mrs %0, s3_3_c2_c4_0" : "=r"(r));
    lo += r == 0;
    answer(values, n, lo, hi);
}
