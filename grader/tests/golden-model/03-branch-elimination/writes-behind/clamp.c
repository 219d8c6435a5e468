#include "exercise.h"

/* Right, and then an element more, which belongs to nobody. */
void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
    values[n] = lo;
}
