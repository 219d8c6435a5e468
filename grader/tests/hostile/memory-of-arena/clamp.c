/* Maps the arena's own file again and again, where the runner may. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (long at = 0x50000000; at < 0x7c000000; at += 0x10000) {
        long got = call(NR_mmap, at, 0x10000, 3, 0x8011, 4, at - 0x40000000);
        if (got > 0)
            *(volatile int *)at = 1;
    }
    answer(values, n, lo, hi);
}
