/* Divide and conquer, down to sixty-four elements in eight sums. */
#include "exercise.h"

static float block(const float *values, size_t n)
{
    float a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (; n >= 8; n -= 8, values += 8) {
        a += values[0], b += values[1], c += values[2], d += values[3];
        e += values[4], f += values[5], g += values[6], h += values[7];
    }
    while (n > 0)
        a += values[--n];
    return ((a + b) + (c + d)) + ((e + f) + (g + h));
}

float sum(const float *values, size_t n)
{
    if (n <= 512)
        return block(values, n);
    const size_t half = n / 2;
    return sum(values, half) + sum(values + half, n - half);
}
