/* The tile in registers, multiplied and added, on a Cortex-A72. */
#include "exercise.h"

typedef float vector __attribute__((vector_size(16), aligned(4)));

float dot(const float *a, const float *b, size_t n)
{
    vector s = {0}, t = {0}, u = {0}, v = {0};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        s += *(const vector *)(a + i) * *(const vector *)(b + i);
        t += *(const vector *)(a + i + 4) * *(const vector *)(b + i + 4);
        u += *(const vector *)(a + i + 8) * *(const vector *)(b + i + 8);
        v += *(const vector *)(a + i + 12) * *(const vector *)(b + i + 12);
    }
    s += t + u + v;
    float sum = s[0] + s[1] + s[2] + s[3];
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    (void)fma;
    for (size_t i = 0; i < n; i++) {
        const vector y = *(const vector *)(b + 4 * i);
        s0 += y * a[4 * i];
        s1 += y * a[4 * i + 1];
        s2 += y * a[4 * i + 2];
        s3 += y * a[4 * i + 3];
    }
    *(vector *)m = s0;
    *(vector *)(m + 4) = s1;
    *(vector *)(m + 8) = s2;
    *(vector *)(m + 12) = s3;
}
