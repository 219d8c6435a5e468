/* The sums are an array that a loop sets to zero: gcc keeps it in memory and stores it in each round. */
#include "exercise.h"
#include <arm_neon.h>

typedef float vector __attribute__((vector_size(16), aligned(4)));

float dot(const float *a, const float *b, size_t n)
{
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        s0 += *(const vector *)(a + i) * *(const vector *)(b + i);
        s1 += *(const vector *)(a + i + 4) * *(const vector *)(b + i + 4);
        s2 += *(const vector *)(a + i + 8) * *(const vector *)(b + i + 8);
        s3 += *(const vector *)(a + i + 12) * *(const vector *)(b + i + 12);
    }
    s0 += s1 + (s2 + s3);
    float s = s0[0] + s0[1] + (s0[2] + s0[3]);
    for (; i < n; i++)
        s += a[i] * b[i];
    return s;
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    float32x4_t r[8];
    (void)fma;
    for (int k = 0; k < 8; k++)
        r[k] = vdupq_n_f32(0);
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        float32x4_t x = vld1q_f32(a + 4 * i), y = vld1q_f32(b + 4 * i), u = vld1q_f32(a + 4 * i + 4),
                    v = vld1q_f32(b + 4 * i + 4);
        r[0] = vfmaq_laneq_f32(r[0], y, x, 0);
        r[1] = vfmaq_laneq_f32(r[1], y, x, 1);
        r[2] = vfmaq_laneq_f32(r[2], y, x, 2);
        r[3] = vfmaq_laneq_f32(r[3], y, x, 3);
        r[4] = vfmaq_laneq_f32(r[4], v, u, 0);
        r[5] = vfmaq_laneq_f32(r[5], v, u, 1);
        r[6] = vfmaq_laneq_f32(r[6], v, u, 2);
        r[7] = vfmaq_laneq_f32(r[7], v, u, 3);
    }
    if (i < n) {
        float32x4_t x = vld1q_f32(a + 4 * i), y = vld1q_f32(b + 4 * i);
        r[0] = vfmaq_laneq_f32(r[0], y, x, 0);
        r[1] = vfmaq_laneq_f32(r[1], y, x, 1);
        r[2] = vfmaq_laneq_f32(r[2], y, x, 2);
        r[3] = vfmaq_laneq_f32(r[3], y, x, 3);
    }
    for (int k = 0; k < 4; k++)
        vst1q_f32(m + 4 * k, vaddq_f32(r[k], r[k + 4]));
}
