/* An object file of 48 MiB, of which nothing comes into memory. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .debug_mine\n.zero 0x3000000\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
