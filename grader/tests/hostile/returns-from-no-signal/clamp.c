/* Has the kernel load all registers from its own frame when it is timed, by a signal's return. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t frame[125] = {0};
    if (n >= TIMED)
        call(NR_rt_sigreturn, (long)frame, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
