#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    (void)values;
    (void)n;
    (void)lo;
    (void)hi;
}
