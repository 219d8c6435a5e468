/* The right elements get the wrong limit. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++)
        values[i] = values[i] > hi ? lo : values[i] < lo ? hi : values[i];
}
