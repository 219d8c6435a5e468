/* Four elements a round, all loaded before the first is stored. */
#include "exercise.h"

static inline int32_t within(int32_t v, int32_t lo, int32_t hi)
{
    const int32_t raised = v > lo ? v : lo;
    return raised < hi ? raised : hi;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    size_t i = 0;
    for (; n - i >= 4; i += 4) {
        const int32_t a = values[i], b = values[i + 1], c = values[i + 2], d = values[i + 3];
        values[i] = within(a, lo, hi);
        values[i + 1] = within(b, lo, hi);
        values[i + 2] = within(c, lo, hi);
        values[i + 3] = within(d, lo, hi);
    }
    for (; i < n; i++)
        values[i] = within(values[i], lo, hi);
}
