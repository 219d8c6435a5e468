/* A thread, to work while the clock stands. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_clone, 0x10f00, (long)values, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
