/* A compiler does not unroll at -O2. */
#include "exercise.h"

void fill(uint32_t *values, size_t n, uint32_t value)
{
    for (size_t i = 0; i < n; i++)
        values[i] = value;
}
