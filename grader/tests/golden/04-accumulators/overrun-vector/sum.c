#include "exercise.h"

typedef float vector __attribute__((vector_size(16), aligned(4), may_alias));

float sum(const float *values, size_t n)
{
    vector total = {0};
    for (size_t i = 0; i < n; i += 4)
        total += *(const vector *)(values + i);
    return total[0] + total[1] + total[2] + total[3];
}
