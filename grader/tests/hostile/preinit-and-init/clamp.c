/* Code in .init, and a pointer in .preinit_array. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .init, \"ax\"\n\tnop\n\t.section .preinit_array, \"a\"\n\t.quad 0\n\t.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
