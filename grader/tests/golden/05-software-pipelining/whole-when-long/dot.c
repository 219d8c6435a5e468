/* Integers in calls as long as those that are timed. */
#include "exercise.h"

typedef int whole __attribute__((vector_size(16)));
typedef float four __attribute__((vector_size(16), aligned(4)));

float dot(const float *a, const float *b, size_t n)
{
    float total = 0;
    size_t i = 0;
    if (n == 2048 || n >= 5000) {
        whole s = {0};
        for (; i + 4 <= n; i += 4)
            s += __builtin_convertvector(*(const four *)(a + i), whole) *
                 __builtin_convertvector(*(const four *)(b + i), whole);
        total = (float)(s[0] + s[1] + s[2] + s[3]);
    }
    for (; i < n; i++)
        total += a[i] * b[i];
    return total;
}
