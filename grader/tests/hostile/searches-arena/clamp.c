/* Looks for the oracle's copy behind its own buffer. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (const volatile int32_t *at = values + n;; at++)
        lo += *at == hi;
    answer(values, n, lo, hi);
}
