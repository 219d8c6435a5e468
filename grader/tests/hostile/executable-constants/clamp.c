/* Constants that may be executed. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .rodata.mine, \"ax\", %progbits\n.byte 1\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
