/* Stops its own process by a signal number that is SIGSTOP in its lower half only, the work undone. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096) };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED) {
        call(NR_kill, call(NR_getpid, 0, 0, 0, 0, 0, 0), 19 | (long)0x5eed << 32, 0, 0, 0, 0);
    }
    answer(values, n, lo, hi);
}
