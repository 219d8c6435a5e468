/* The prologue loads the first element before it looks at n. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float total = 0, x = a[0], y = b[0];
    for (size_t i = 1; i < n; i++) {
        total += x * y;
        x = a[i];
        y = b[i];
    }
    return n > 0 ? total + x * y : 0;
}
