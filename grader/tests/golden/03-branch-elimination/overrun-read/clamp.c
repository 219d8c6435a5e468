/* Loads one element ahead, also behind the end. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    int32_t v = n > 0 ? values[0] : 0;
    for (size_t i = 0; i < n; i++) {
        int32_t result = v < lo ? lo : v;
        result = result > hi ? hi : result;
        v = values[i + 1];
        values[i] = result;
    }
}
