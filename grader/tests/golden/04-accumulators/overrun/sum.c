/* Two at a time, without a look at whether n is even. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float s0 = 0, s1 = 0;
    for (size_t i = 0; i < n; i += 2) {
        s0 += values[i];
        s1 += values[i + 1];
    }
    return s0 + s1;
}
