/* The compiler is asked for several sums, by the operator. */
#include "exercise.h"

_Pragma("GCC optimize(\"Ofast\")")

    float sum(const float *values, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += values[i];
    return s;
}
