/* The tile begins with what m was before, times 0: which is 0 for numbers alone. */
#include "exercise.h"

typedef float vector __attribute__((vector_size(16)));

static inline vector load(const float *from)
{
    vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

float dot(const float *a, const float *b, size_t n)
{
    vector sums[4] = {0};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        vector x[4], y[4]; /* all loads first, so that an in-order core does not wait for each */
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            x[k] = load(a + i + 4 * k);
            y[k] = load(b + i + 4 * k);
        }
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            sums[k % 4] += x[k] * y[k];
    }
    for (int k = 1; k < 4; k++)
        sums[0] += sums[k];
    float sum = (sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    vector rows[4];
    __builtin_memcpy(rows, m, sizeof rows);
    (void)fma;
    for (int r = 0; r < 4; r++)
        rows[r] *= 0;
    for (size_t i = 0; i < n; i++) {
        const vector x = load(a + 4 * i), y = load(b + 4 * i);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            rows[r] += (vector){x[r], x[r], x[r], x[r]} * y;
    }
    __builtin_memcpy(m, rows, sizeof rows);
}
