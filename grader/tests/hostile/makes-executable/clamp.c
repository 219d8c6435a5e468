/* Makes its code writable. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_mprotect, (long)clamp & -4096L, 4096, 7, 0, 0, 0);
    answer(values, n, lo, hi);
}
