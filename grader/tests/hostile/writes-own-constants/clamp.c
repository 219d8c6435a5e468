/* Keeps a count in a constant of its own. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    static const uint64_t count = 5;
    if ((*(volatile uint64_t *)(uintptr_t)&count)++ > 200)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
