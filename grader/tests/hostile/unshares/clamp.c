/* Namespaces of its own. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_unshare, 0x10000000, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
