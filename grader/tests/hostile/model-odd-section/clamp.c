/* A section that is aligned to nothing, behind another that ends at an odd address. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .text.a, \"ax\"\n.byte 0\n.section .text.b, \"ax\"\n.type odd, %function\nodd: .long "
        "0xd65f03c0\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
