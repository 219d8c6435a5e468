/* Reads another student's answer. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_openat, -100, (long)"@NEIGHBOUR@/clamp.c", 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
