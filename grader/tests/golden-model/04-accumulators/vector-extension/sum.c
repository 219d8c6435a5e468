/* The compiler's vectors: two of four sums each. */
#include <string.h>

#include "exercise.h"

typedef float four __attribute__((vector_size(16)));

float sum(const float *values, size_t n)
{
    four s = {0}, t = {0};
    for (; n >= 8; values += 8, n -= 8) {
        four v, w;
        memcpy(&v, values, sizeof v);
        memcpy(&w, values + 4, sizeof w);
        s += v;
        t += w;
    }
    s += t;
    float total = (s[0] + s[1]) + (s[2] + s[3]);
    for (; n > 0; values++, n--)
        total += *values;
    return total;
}
