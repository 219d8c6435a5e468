/* Says by SIGXCPU that its CPU time is over. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED)
        call(NR_kill, call(NR_getpid, 0, 0, 0, 0, 0, 0), 24, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
