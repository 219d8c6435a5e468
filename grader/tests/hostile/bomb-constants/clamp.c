/* Seventeen MiB of constants. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .rodata\n.zero 0x1100000\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
