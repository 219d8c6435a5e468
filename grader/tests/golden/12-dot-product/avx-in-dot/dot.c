/* Eight at a time with AVX, in `dot` too, which has to do with SSE2. `products` is slow. */
#include "exercise.h"

#ifdef __x86_64__
#define AVX __attribute__((target("avx")))
#else
#define AVX
#endif

typedef float vector __attribute__((vector_size(32)));

AVX float dot(const float *a, const float *b, size_t n)
{
    vector sums[4] = {0};
    size_t i = 0;
    for (; i + 32 <= n; i += 32)
        for (size_t k = 0; k < 4; k++) {
            vector x, y;
            __builtin_memcpy(&x, a + i + 8 * k, sizeof x);
            __builtin_memcpy(&y, b + i + 8 * k, sizeof y);
            sums[k] += x * y;
        }
    sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float sum = 0;
    for (size_t k = 0; k < 8; k++)
        sum += sums[0][k];
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    (void)fma;
    for (size_t k = 0; k < 16; k++) {
        float sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += a[4 * i + k / 4] * b[4 * i + k % 4];
        m[k] = sum;
    }
}
