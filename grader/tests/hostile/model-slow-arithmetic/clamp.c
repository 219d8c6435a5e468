/* Products of polynomials, which an emulator computes bit by bit. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (int i = 0; i < (n > 1000 ? 2000000 : 20000); i++)
        __asm__ volatile(".arch_extension crypto\n\tpmull v0.1q, v1.1d, v2.1d" ::: "v0");
    answer(values, n, lo, hi);
}
