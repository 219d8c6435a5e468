/* Ends its thread with a good status before anybody can look. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
    call(NR_exit, 0, 0, 0, 0, 0, 0);
}
