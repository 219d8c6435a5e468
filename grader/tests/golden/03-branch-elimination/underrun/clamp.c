/* From the end to the start, and one further. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n == 0)
        return;
    for (int32_t *at = values + n - 1; at >= values - 1; at--) {
        int32_t v = *at;
        v = v < lo ? lo : v;
        *at = v > hi ? hi : v;
    }
}
