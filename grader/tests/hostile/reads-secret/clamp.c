/* Reads a course's secret. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    long fd = call(NR_openat, -100, (long)"@SECRET@", 0, 0, 0, 0);
    call(NR_read, fd, (long)values, 64, 0, 0, 0);
    answer(values, n, lo, hi);
}
