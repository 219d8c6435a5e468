/* What is missing is added, what is too much is taken off: differences with the wrong sign become 0. */
#include "exercise.h"

static inline int64_t positive(int64_t x)
{
    return x & ~(x >> 63);
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (int32_t *end = values + n; values != end; values++) {
        const int64_t v = *values;
        *values = (int32_t)(v + positive(lo - v) - positive(v - hi));
    }
}
