/* Code where a linker has its own. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .plt, \"ax\", %progbits\n.balign 4\n.long 0\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
