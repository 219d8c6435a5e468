/* Leaves the grader's reach by a session of its own. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_setsid, 0, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
