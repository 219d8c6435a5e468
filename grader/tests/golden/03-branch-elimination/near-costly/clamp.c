/* No branch, but two divisions: most of the gain is lost, and sorted input takes much longer. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    int32_t limits[3] = {0, lo, hi};
    int64_t three = 3 + (n == 0);
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        unsigned which = (unsigned)(v < lo) + 2 * (unsigned)(v > hi);
        limits[0] = v;
        values[i] = (int32_t)((int64_t)limits[which] * 9 / three / three);
    }
}
