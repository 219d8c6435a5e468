/* Keeps data in a file without a name. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_memfd_create, (long)"x", 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
