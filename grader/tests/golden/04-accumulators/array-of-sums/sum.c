/* Eight sums in an array, which the compiler keeps in registers. */
#include "exercise.h"

enum { SUMS = 8 };

float sum(const float *values, size_t n)
{
    float s[SUMS] = {0};
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
        s[0] += values[i];
        s[1] += values[i + 1];
        s[2] += values[i + 2];
        s[3] += values[i + 3];
        s[4] += values[i + 4];
        s[5] += values[i + 5];
        s[6] += values[i + 6];
        s[7] += values[i + 7];
    }
    for (; i < n; i++)
        s[0] += values[i];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}
