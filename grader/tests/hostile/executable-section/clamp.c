/* Code in sections of its own, which begin wherever the one before ends. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section first, \"ax\", %progbits\n.byte 1, 2, 3\n.section second, \"ax\", %progbits\n.byte 1, 2, "
        "3\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
