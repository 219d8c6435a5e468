/* Lifts its own limits. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t none[2] = {~UINT64_C(0), ~UINT64_C(0)};
    call(NR_prlimit64, 0, 9, (long)none, 0, 0, 0);
    answer(values, n, lo, hi);
}
