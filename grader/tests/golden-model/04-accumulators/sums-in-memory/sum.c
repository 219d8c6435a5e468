/* Eight sums, found by an index that is not known before the loop runs. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float s[8] = {0}, total = 0;
    for (size_t i = 0; i < n; i++)
        s[i % 8] += values[i];
    for (size_t i = 0; i < 8; i++)
        total += s[i];
    return total;
}
