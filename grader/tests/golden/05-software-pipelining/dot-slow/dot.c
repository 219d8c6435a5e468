/* The sum goes to memory and back each time. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    volatile float total = 0;
    for (size_t i = 0; i < n; i++)
        total = total + a[i] * b[i];
    return total;
}
