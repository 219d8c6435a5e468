/* A store that waits for a monitor that nobody grants. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint32_t failed = 1;
    if (n > 0)
        do
            __asm__ volatile("clrex\n\tstxr %w0, %w1, [%2]"
                             : "=&r"(failed)
                             : "r"(lo), "r"(values)
                             : "memory");
        while (failed);
    answer(values, n, lo, hi);
}
