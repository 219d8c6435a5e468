/* The compiler is asked for several sums, before the header is read. */
#pragma GCC optimize("Ofast", "unroll-loops")
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += values[i];
    return s;
}
