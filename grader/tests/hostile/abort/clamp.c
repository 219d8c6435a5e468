/* What abort() does. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_tgkill, call(NR_getpid, 0, 0, 0, 0, 0, 0), call(NR_getpid, 0, 0, 0, 0, 0, 0), 6, 0, 0, 0);
    answer(values, n, lo, hi);
}
