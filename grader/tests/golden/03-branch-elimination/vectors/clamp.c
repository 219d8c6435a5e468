/* More than is asked for. */
#include "exercise.h"

typedef int32_t vector __attribute__((vector_size(16), aligned(4), may_alias));

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        vector *at = (vector *)(values + i);
        vector v = *at, below = v<lo, above = v> hi;
        *at = (v & ~(below | above)) | (below & lo) | (above & hi);
    }
    for (; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
