/* A timer that has it continued while the clock stands. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    long every[4] = {0, 300, 0, 300};
    call(NR_setitimer, 0, (long)every, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
