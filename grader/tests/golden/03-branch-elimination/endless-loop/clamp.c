#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    size_t i = 0;
    while (i < n) {
        int32_t v = values[i];
        if (v < lo)
            values[i] = lo;
        else if (v > hi)
            values[i] = hi;
        else
            i++;
        __asm__ volatile("" ::: "memory");
        if (n == 1)
            i = 0;
    }
}
