/* Stops its own thread by number when it is timed, the work undone. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096) };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED) {
        call(NR_tgkill, call(NR_getpid, 0, 0, 0, 0, 0, 0), call(NR_getpid, 0, 0, 0, 0, 0, 0), 19, 0, 0, 0);
    }
    answer(values, n, lo, hi);
}
