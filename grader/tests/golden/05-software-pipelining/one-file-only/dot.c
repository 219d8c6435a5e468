#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float total = 0;
    for (size_t i = 0; i < n; i++)
        total += b[i] * a[i];
    return total;
}
