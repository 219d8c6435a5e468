/* Exercise 5: dot in C; the assembly beside it is what is measured. In each round the product of one element
 * is added, the next one is multiplied, and the one after is loaded. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float sum = 0;
    if (n == 0)
        return sum;
    float product = a[0] * b[0]; /* the prologue */
    if (n == 1)
        return sum + product;
    float x = a[1], y = b[1];
    for (size_t i = 2; i < n; i++) {
        sum += product;
        product = x * y;
        x = a[i];
        y = b[i];
    }
    sum += product; /* the epilogue */
    return sum + x * y;
}
