/* Blocks the signal that asks an endless loop where it is. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t all = ~UINT64_C(0);
    call(NR_rt_sigprocmask, 0, (long)&all, 0, 8, 0, 0);
    for (;;)
        __asm__ volatile("");
}
