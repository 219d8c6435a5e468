/* Waits for a signal that never comes. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_rt_sigsuspend, (long)&(uint64_t){~UINT64_C(0)}, 8, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
