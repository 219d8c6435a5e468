/* Eight sums in double precision: more exact than asked, and each element is converted. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        a += (double)values[i], b += (double)values[i + 1], c += (double)values[i + 2],
            d += (double)values[i + 3];
        e += (double)values[i + 4], f += (double)values[i + 5], g += (double)values[i + 6],
            h += (double)values[i + 7];
    }
    for (; i < n; i++)
        a += (double)values[i];
    return (float)(((a + b) + (c + d)) + ((e + f) + (g + h)));
}
