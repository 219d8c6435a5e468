/* A child in a session of its own, to go on when this is over. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (call(NR_clone, 17, 0, 0, 0, 0, 0) == 0) {
        call(NR_setsid, 0, 0, 0, 0, 0, 0);
        if (call(NR_clone, 17, 0, 0, 0, 0, 0) != 0)
            call(NR_exit, 0, 0, 0, 0, 0, 0);
        for (;;)
            call(NR_nanosleep, (long)&(long[2]){3600, 0}, 0, 0, 0, 0, 0);
    }
    answer(values, n, lo, hi);
}
