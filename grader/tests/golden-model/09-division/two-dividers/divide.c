#include "exercise.h"

/* The quotient of doubles is exact: below 2^32 it never reaches the next whole number. */
static inline uint32_t by_double(uint32_t x, double divisor)
{
    return (uint32_t)((double)x / divisor);
}

/* No reciprocal, and both dividers of the core have work: of eight values five go to the one for doubles. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    const double by = divisor;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint32_t a = values[i], b = values[i + 1], c = values[i + 2], d = values[i + 3];
        const uint32_t e = values[i + 4], f = values[i + 5], g = values[i + 6], h = values[i + 7];
        const uint32_t second = b / divisor, fifth = e / divisor, seventh = g / divisor;
        quotients[i] = by_double(a, by);
        quotients[i + 1] = second;
        quotients[i + 2] = by_double(c, by);
        quotients[i + 3] = by_double(d, by);
        quotients[i + 4] = fifth;
        quotients[i + 5] = by_double(f, by);
        quotients[i + 6] = seventh;
        quotients[i + 7] = by_double(h, by);
    }
    for (; i < n; i++)
        quotients[i] = values[i] / divisor;
}
