#include "exercise.h"
#include <math.h>

float sum(const float *values, size_t n)
{
    float total = 0;
    for (size_t i = 0; i < n; i++)
        total = fmaf(values[i], 1.0F, total);
    return total;
}
