/* Vectors, and one vector of sums. */
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
    vector sums[1] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
#pragma GCC unroll 1
        for (int k = 0; k < 1; k++)
            sums[k % 1] += load(a + i + 4 * k) * load(b + i + 4 * k);
    for (int k = 1; k < 1; k++)
        sums[0] += sums[k];
    float sum = (sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

#ifdef __x86_64__
#include <immintrin.h>

/* Two rows in a register of 256 bits. */
__attribute__((target("avx2,fma"))) static void wide(float m[16], const float *a, const float *b, size_t n)
{
    const __m256i upper = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1),
                  lower = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
    __m256 even[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()}, odd[2] = {even[0], even[0]};
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        const __m256 a0 = _mm256_broadcast_ps((const __m128 *)(a + 4 * i)),
                     a1 = _mm256_broadcast_ps((const __m128 *)(a + 4 * i + 4)),
                     b0 = _mm256_broadcast_ps((const __m128 *)(b + 4 * i)),
                     b1 = _mm256_broadcast_ps((const __m128 *)(b + 4 * i + 4));
        even[0] = _mm256_fmadd_ps(_mm256_permutevar_ps(a0, upper), b0, even[0]);
        even[1] = _mm256_fmadd_ps(_mm256_permutevar_ps(a0, lower), b0, even[1]);
        odd[0] = _mm256_fmadd_ps(_mm256_permutevar_ps(a1, upper), b1, odd[0]);
        odd[1] = _mm256_fmadd_ps(_mm256_permutevar_ps(a1, lower), b1, odd[1]);
    }
    if (i < n) {
        const __m256 a0 = _mm256_broadcast_ps((const __m128 *)(a + 4 * i)),
                     b0 = _mm256_broadcast_ps((const __m128 *)(b + 4 * i));
        even[0] = _mm256_fmadd_ps(_mm256_permutevar_ps(a0, upper), b0, even[0]);
        even[1] = _mm256_fmadd_ps(_mm256_permutevar_ps(a0, lower), b0, even[1]);
    }
    _mm256_storeu_ps(m, _mm256_add_ps(even[0], odd[0]));
    _mm256_storeu_ps(m + 8, _mm256_add_ps(even[1], odd[1]));
}

static void narrow(float m[16], const float *a, const float *b, size_t n)
{
    vector rows[4] = {0};
    for (size_t i = 0; i < n; i++) {
        const vector x = load(a + 4 * i), y = load(b + 4 * i);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            rows[r] += (vector){x[r], x[r], x[r], x[r]} * y;
    }
    __builtin_memcpy(m, rows, sizeof rows);
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    if (fma)
        wide(m, a, b, n);
    else
        narrow(m, a, b, n);
}

#else
#include <arm_neon.h>

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    float32x4_t even[4], odd[4];
    (void)fma;
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        even[r] = odd[r] = vdupq_n_f32(0);
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        const float32x4_t a0 = vld1q_f32(a + 4 * i), a1 = vld1q_f32(a + 4 * i + 4), b0 = vld1q_f32(b + 4 * i),
                          b1 = vld1q_f32(b + 4 * i + 4);
        even[0] = vfmaq_laneq_f32(even[0], b0, a0, 0);
        even[1] = vfmaq_laneq_f32(even[1], b0, a0, 1);
        even[2] = vfmaq_laneq_f32(even[2], b0, a0, 2);
        even[3] = vfmaq_laneq_f32(even[3], b0, a0, 3);
        odd[0] = vfmaq_laneq_f32(odd[0], b1, a1, 0);
        odd[1] = vfmaq_laneq_f32(odd[1], b1, a1, 1);
        odd[2] = vfmaq_laneq_f32(odd[2], b1, a1, 2);
        odd[3] = vfmaq_laneq_f32(odd[3], b1, a1, 3);
    }
    if (i < n) {
        const float32x4_t a0 = vld1q_f32(a + 4 * i), b0 = vld1q_f32(b + 4 * i);
        even[0] = vfmaq_laneq_f32(even[0], b0, a0, 0);
        even[1] = vfmaq_laneq_f32(even[1], b0, a0, 1);
        even[2] = vfmaq_laneq_f32(even[2], b0, a0, 2);
        even[3] = vfmaq_laneq_f32(even[3], b0, a0, 3);
    }
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        vst1q_f32(m + 4 * r, vaddq_f32(even[r], odd[r]));
}
#endif
