/* Stages in C: what is loaded, what is multiplied, what is added. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float total = 0, product = 0, x = 0, y = 0;
    if (n == 0)
        return 0;
    x = a[0], y = b[0];
    for (size_t i = 1; i < n; i++) {
        total += product;
        product = x * y;
        x = a[i], y = b[i];
    }
    return total + product + x * y;
}
