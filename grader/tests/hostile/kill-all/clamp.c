/* Kills all that it may. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_kill, -1, 9, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
