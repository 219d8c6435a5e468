/* Exercise 4: the reference in C, as fast as the assembly beside it, which is what is measured. Eight chains
 * of additions: a core that starts two in each cycle and takes up to four for one needs that many. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        s0 += values[i];
        s1 += values[i + 1];
        s2 += values[i + 2];
        s3 += values[i + 3];
        s4 += values[i + 4];
        s5 += values[i + 5];
        s6 += values[i + 6];
        s7 += values[i + 7];
    }
    for (; i < n; i++)
        s0 += values[i];
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
}
