/* Columns in place of rows. */
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

#include <arm_neon.h>

/* The columns of m in registers, turned at the end. */
void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    float32x4_t c0 = vdupq_n_f32(0), c1 = c0, c2 = c0, c3 = c0;
    (void)fma;
    for (size_t i = 0; i < n; i++) {
        const float32x4_t x = vld1q_f32(a + 4 * i), y = vld1q_f32(b + 4 * i);
        c0 = vfmaq_laneq_f32(c0, x, y, 0);
        c1 = vfmaq_laneq_f32(c1, x, y, 1);
        c2 = vfmaq_laneq_f32(c2, x, y, 2);
        c3 = vfmaq_laneq_f32(c3, x, y, 3);
    }
    const float32x4x4_t turned = {{c0, c1, c2, c3}};
    vst4q_f32(m, turned);
}
