/* Unmaps the arena and its own stack. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_munmap, 0x40000000, 0x3c000000, 0, 0, 0, 0);
    call(NR_munmap, 0x7d000000, 0x100000, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
