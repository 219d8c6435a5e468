/* Exercise 5, first part: one of the two files to edit. It is right as it stands. In each iteration the
 * multiplication waits for its loads, and the addition for the multiplication: a core that runs instructions
 * in order stands still meanwhile. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float total = 0;
    for (size_t i = 0; i < n; i++)
        total += a[i] * b[i];
    return total;
}
