/* The loop of the last hint, in C: an element is loaded, multiplied and added in three different rounds. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float sum = 0;
    if (n == 0)
        return sum;
    float product = a[0] * b[0];
    if (n > 1) {
        float x = a[1], y = b[1];
        for (size_t i = 2; i < n; i++) {
            sum += product;
            product = x * y;
            x = a[i];
            y = b[i];
        }
        sum += product;
        product = x * y;
    }
    return sum + product;
}
