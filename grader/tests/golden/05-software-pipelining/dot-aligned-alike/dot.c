/* Right, but for a and b that are not alike aligned to 8 bytes: loads of two elements at once would be so. */
#include "exercise.h"

float dot(const float *a, const float *b, size_t n)
{
    float sum = 0;
    if (((unsigned long)a ^ (unsigned long)b) % 8 != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
