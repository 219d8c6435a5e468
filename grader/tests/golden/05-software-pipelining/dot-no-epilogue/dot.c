/* The last product is computed and not added. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    if (n == 0)
        return 0;
    float total = 0, product = a[0] * b[0];
    for (size_t i = 1; i < n; i++) {
        total += product;
        product = a[i] * b[i];
    }
    return total;
}
