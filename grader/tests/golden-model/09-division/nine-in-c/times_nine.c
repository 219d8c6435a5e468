/* The compiler knows it, too. */
#include "exercise.h"

uint64_t times_nine(const uint64_t *values, size_t n)
{
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x = (x << 3) + (x + values[i]);
    return x;
}
