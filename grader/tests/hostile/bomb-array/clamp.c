/* A constant of 1 GiB, with something in it. */
#include "exercise.h"
#include "hostile.h"

static const char large[1 << 30] = {[0 ...(1 << 30) - 1] = 1};

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    lo += large[n] != 0 ? 0 : 1;
    answer(values, n, lo, hi);
}
