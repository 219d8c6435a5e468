/* Two MiB of instructions. */
#include "exercise.h"
#include "hostile.h"

__asm__(".text\n.fill 524288, 4, 0xd503201f");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
