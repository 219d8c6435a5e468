/* Good as long as it is only checked; timed, it does not come back. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    while (n >= 4096)
        __asm__ volatile("");
    answer(values, n, lo, hi);
}
