/* Four products and four sums at once: another way to keep an in-order core busy. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const float p0 = a[i] * b[i], p1 = a[i + 1] * b[i + 1], p2 = a[i + 2] * b[i + 2],
                    p3 = a[i + 3] * b[i + 3];
        s0 += p0, s1 += p1, s2 += p2, s3 += p3;
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}
