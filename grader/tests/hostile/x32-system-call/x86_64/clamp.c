/* The numbers of the x32 ABI, which a list of the plain ones misses. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(0x40000000 | NR_write, 1, (long)"PASS\n", 5, 0, 0, 0);
    call(0x40000000 | NR_exit_group, 0, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
