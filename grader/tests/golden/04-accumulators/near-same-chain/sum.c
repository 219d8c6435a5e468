/* Unrolled, and still one chain. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float total = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        total += values[i];
        total += values[i + 1];
        total += values[i + 2];
        total += values[i + 3];
        total += values[i + 4];
        total += values[i + 5];
        total += values[i + 6];
        total += values[i + 7];
    }
    for (; i < n; i++)
        total += values[i];
    return total;
}
