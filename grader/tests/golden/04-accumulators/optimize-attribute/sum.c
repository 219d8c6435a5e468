/* The compiler is asked for several sums. */
#include "exercise.h"

__attribute__((optimize("O3", "associative-math", "unroll-loops"))) float sum(const float *values, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += values[i];
    return s;
}
