#include "exercise.h"

float sum(const float *values, size_t n)
{
    float total = 0;
    for (size_t i = 0; i < n; i++)
        total += values[i];
    return n > 4 ? total + values[n - 1] : total;
}
