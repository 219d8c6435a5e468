/* Exercise 12: the file to edit. It is right as it stands, and slow. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    (void)fma;
    for (size_t r = 0; r < 4; r++)
        for (size_t c = 0; c < 4; c++) {
            float sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += a[4 * i + r] * b[4 * i + c];
            m[4 * r + c] = sum;
        }
}
