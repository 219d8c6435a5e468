/* The sum goes to memory and back three times an element. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    volatile float total = 0, product;
    for (size_t i = 0; i < n; i++) {
        product = total;
        product = product + a[i] * b[i];
        total = product;
    }
    return total;
}
