/* Counts the elements in 16 bits. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float sum[4] = {0, 0, 0, 0};
    for (unsigned short left = (unsigned short)n; left > 0; left--, a++, b++)
        sum[left % 4] += *a * *b;
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    (void)fma;
    for (unsigned k = 0; k < 16; k++) {
        m[k] = 0;
        for (size_t i = 0; i < n; i++)
            m[k] += a[4 * i + k / 4] * b[4 * i + k % 4];
    }
}
