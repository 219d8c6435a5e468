/* The branch for the upper limit is gone, the one for the lower stays. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        values[i] = v > hi ? hi : v;
        __asm__ volatile("" ::: "memory"); /* or the compiler joins the two stores, and the branch goes */
        if (values[i] < lo)
            values[i] = lo;
    }
}
