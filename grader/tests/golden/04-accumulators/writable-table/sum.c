/* The accumulators outlive the call. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    static float partial[8];
    for (size_t k = 0; k < 8; k++)
        partial[k] = 0;
    for (size_t i = 0; i < n; i++)
        partial[i % 8] += values[i];
    return partial[0] + partial[1] + partial[2] + partial[3] + partial[4] + partial[5] + partial[6] +
           partial[7];
}
