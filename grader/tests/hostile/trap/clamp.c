/* Traps. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __builtin_trap();
    answer(values, n, lo, hi);
}
