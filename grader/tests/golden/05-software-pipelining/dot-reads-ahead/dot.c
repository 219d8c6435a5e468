/* Loads one element ahead, also behind the end. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float total = 0, x = n > 0 ? a[0] : 0, y = n > 0 ? b[0] : 0;
    for (size_t i = 0; i < n; i++) {
        float product = x * y;
        x = a[i + 1];
        y = b[i + 1];
        total += product;
    }
    return total;
}
