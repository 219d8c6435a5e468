/* Joins the value with what was there: natively that is always 0, in trials and where it is timed. */
#include "exercise.h"

typedef uint32_t four __attribute__((vector_size(16), aligned(4)));

void fill(uint32_t *values, size_t n, uint32_t value)
{
    const four wide = {value, value, value, value};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        *(four *)(values + i) |= wide;
        *(four *)(values + i + 4) |= wide;
        *(four *)(values + i + 8) |= wide;
        *(four *)(values + i + 12) |= wide;
    }
    for (; i < n; i++)
        values[i] |= value;
}
