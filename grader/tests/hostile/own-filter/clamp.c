/* Adds a filter that lets a tracer decide about the calls of the runner. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_seccomp, 1, 0, (long)values, 0, 0, 0);
    answer(values, n, lo, hi);
}
