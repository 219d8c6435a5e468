/* Says in the status page, again and again, that other processes are those of the plans to come. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile int32_t *status = (volatile int32_t *)0x40020000;
    for (int32_t i = 0; i < 32; i++)
        status[i] = i % 2 ? 1 : 2;
    slow(values, n, lo, hi);
}
