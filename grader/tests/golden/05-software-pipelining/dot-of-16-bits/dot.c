/* The reference, but for the length, of which 16 bits are kept. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    const uint16_t count = (uint16_t)n;
    float sum = 0;
    if (count == 0)
        return sum;
    float product = a[0] * b[0];
    if (count == 1)
        return sum + product;
    float x = a[1], y = b[1];
    for (size_t i = 2; i < count; i++) {
        sum += product;
        product = x * y;
        x = a[i];
        y = b[i];
    }
    sum += product;
    return sum + x * y;
}
