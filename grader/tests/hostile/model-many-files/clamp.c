/* Line numbers and files without end, in the report of a fault. */
#include "exercise.h"
#include "hostile.h"

__attribute__((noinline)) static void crash(int32_t *at)
{
    (void)at;
#line 2147483647 "/////////////////////////////////////////////////////////////////////"
    *(volatile int *)8 = 1;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    crash(values);
    answer(values, n, lo, hi);
}
