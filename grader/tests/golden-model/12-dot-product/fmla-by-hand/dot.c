/* The instruction by hand. */
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
    for (; i + 16 <= n; i += 16)
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            sums[k % 4] += load(a + i + 4 * k) * load(b + i + 4 * k);
    for (int k = 1; k < 4; k++)
        sums[0] += sums[k];
    float sum = (sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Fused multiply-adds of a row with an element, as the instruction set writes them. */
void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    vector r0 = {0}, r1 = {0}, r2 = {0}, r3 = {0};
    (void)fma;
    for (size_t i = 0; i < n; i++) {
        const vector x = load(a + 4 * i), y = load(b + 4 * i);
        __asm__("fmla %0.4s, %2.4s, %1.s[0]" : "+w"(r0) : "w"(x), "w"(y));
        __asm__("fmla %0.4s, %2.4s, %1.s[1]" : "+w"(r1) : "w"(x), "w"(y));
        __asm__("fmla %0.4s, %2.4s, %1.s[2]" : "+w"(r2) : "w"(x), "w"(y));
        __asm__("fmla %0.4s, %2.4s, %1.s[3]" : "+w"(r3) : "w"(x), "w"(y));
    }
    __builtin_memcpy(m, &r0, sizeof r0);
    __builtin_memcpy(m + 4, &r1, sizeof r1);
    __builtin_memcpy(m + 8, &r2, sizeof r2);
    __builtin_memcpy(m + 12, &r3, sizeof r3);
}
