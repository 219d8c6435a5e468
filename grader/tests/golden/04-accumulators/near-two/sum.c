/* Two chains: half as fast again as one, and far from the reference. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float s0 = 0, s1 = 0;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        s0 += values[i + 0];
        s1 += values[i + 1];
    }
    for (; i < n; i++)
        s0 += values[i];
    return s0 + s1;
}
