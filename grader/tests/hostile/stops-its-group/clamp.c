/* Stops its whole group when it is timed, the nursery with it, the work undone. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096) };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED) {
        call(NR_kill, 0, 19, 0, 0, 0, 0);
    }
    answer(values, n, lo, hi);
}
