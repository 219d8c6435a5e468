/* Gives a part of the arena back, for zeros in its place, once it is timed. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED)
        call(NR_munmap, 0x40050000, 0x10000, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
