/* A function behind a byte. */
#include "exercise.h"
#include "hostile.h"

__asm__(".text\n.byte 0\n.type odd, %function\nodd: .long 0xd65f03c0\n.balign 4");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
