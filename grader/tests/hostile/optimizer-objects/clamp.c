/* Other options from within: instrumentation, profiles, debug information. */
#pragma GCC optimize("O0", "finstrument-functions")
#pragma GCC optimize("fprofile-arcs", "ftest-coverage")
/* Slow besides. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    slow(values, n, lo, hi);
}
