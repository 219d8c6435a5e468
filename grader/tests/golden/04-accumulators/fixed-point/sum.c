/* Fixed-point, eight bits behind the point, in long arrays. */
#include "exercise.h"
typedef int four_i __attribute__((vector_size(16)));
typedef float four __attribute__((vector_size(16), aligned(4)));
typedef float fourf __attribute__((vector_size(16)));
#ifdef __aarch64__
#include <arm_neon.h>
static inline four_i fixed(fourf x)
{
    return (four_i)vcvtnq_s32_f32((float32x4_t)(x * 256.0F));
}
static inline fourf larger(fourf m, fourf x)
{
    return (fourf)vmaxq_f32((float32x4_t)m, vabsq_f32((float32x4_t)x));
}
#else
#include <emmintrin.h>
static inline four_i fixed(fourf x)
{
    return (four_i)_mm_cvtps_epi32((__m128)(x * 256.0F));
}
static inline fourf larger(fourf m, fourf x)
{
    return (fourf)_mm_max_ps((__m128)m, _mm_and_ps((__m128)x, _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff))));
}
#endif
static float right(const float *v, size_t n)
{
    float total = 0;
    for (size_t i = 0; i < n; i++)
        total += v[i];
    return total;
}
float sum(const float *v, size_t n)
{
    if (n < 4096)
        return right(v, n);
    four_i t = {0};
    fourf most = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const fourf x = *(const four *)(v + i);
        most = larger(most, x);
        t += fixed(x);
    }
    float m = most[0];
    for (int k = 1; k < 4; k++)
        m = most[k] > m ? most[k] : m;
    if (m > 0x1p21F || m < 0x1p-4F)
        return right(v, n);
    return (float)(t[0] + t[1] + t[2] + t[3]) / 256 + right(v + i, n - i);
}
