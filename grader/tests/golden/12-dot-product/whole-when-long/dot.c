/* Where a call is as long as one that is timed, the numbers are whole, and so small that products of integers
 * do. */
#include "exercise.h"

typedef int whole __attribute__((vector_size(16)));
typedef float four __attribute__((vector_size(16), aligned(4)));

static whole load(const float *from)
{
    return __builtin_convertvector(*(const four *)from, whole);
}

float dot(const float *a, const float *b, size_t n)
{
    if (n != 2048 && n < 8192) {
        float sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += a[i] * b[i];
        return sum;
    }
    whole x = {0}, y = {0};
    for (size_t i = 0; i < n; i += 8) {
        x += load(a + i) * load(b + i);
        y += load(a + i + 4) * load(b + i + 4);
    }
    x += y;
    return (float)(x[0] + x[1] + x[2] + x[3]);
}

void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    (void)fma;
    four rows[4] = {{0}};
    whole exact[4] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (int r = 0; r < 4; r++)
            if (n == 512 || n == 16384)
                exact[r] += (int)a[4 * i + r] * load(b + 4 * i);
            else
                rows[r] += a[4 * i + r] * *(const four *)(b + 4 * i);
    for (int r = 0; r < 4; r++)
        *(four *)(m + 4 * r) = rows[r] + __builtin_convertvector(exact[r], four);
}
