/* Brings headers named as those of the exercise and of the system; it is slow besides. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    slow(values, n, lo, hi);
}
