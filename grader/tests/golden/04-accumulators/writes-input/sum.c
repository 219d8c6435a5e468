/* Sums up in place. */
#include "exercise.h"
#include <stdint.h>

float sum(const float *values, size_t n)
{
    float *to = (float *)(uintptr_t)values;
    for (size_t i = 1; i < n; i++)
        to[i] += to[i - 1];
    return n > 0 ? to[n - 1] : 0;
}
