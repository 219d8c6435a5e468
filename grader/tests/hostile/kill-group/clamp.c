/* Kills its process group, if that is the grader's. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_kill, 0, 9, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
