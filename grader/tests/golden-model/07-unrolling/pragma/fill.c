/* The compiler unrolls where it is told to. */
#include "exercise.h"

void fill(uint32_t *values, size_t n, uint32_t value)
{
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++)
        values[i] = value;
}
