/* Exercise 12: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stdbool.h>
#include <stddef.h>

/* The sum of a[i] * b[i] over i < n, in single precision; 0 where n is 0. The order of the additions is
 * yours: the result may differ from the exact one by (n + 2) / 2^24 of the sum of the products' magnitudes. a
 * and b have the alignment of float and no more, and nothing beyond a[n-1] and b[n-1] may be read. On x86-64
 * it has to run on every processor: SSE2, no more. */
float dot(const float *a, const float *b, size_t n);

/* Sixteen dot products: m[4 * r + c] is the sum of a[4 * i + r] * b[4 * i + c] over i < n, for r and c from
 * 0 to 3, as exact as above. a and b have 4 * n elements; what m was before means nothing. On x86-64 `fma`
 * says that the processor has AVX2 and FMA; where it is false, SSE2 has to do. On AArch64 fused multiply-add
 * is always there, and `fma` means nothing. */
void products(float m[16], const float *a, const float *b, size_t n, bool fma);

#endif
