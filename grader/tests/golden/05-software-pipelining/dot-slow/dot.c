/* The sum goes to memory and back three times an element. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    volatile float total = 0, copy;
    for (size_t i = 0; i < n; i++) {
        copy = total;
        copy = copy + a[i] * b[i];
        total = copy;
    }
    return total;
}
