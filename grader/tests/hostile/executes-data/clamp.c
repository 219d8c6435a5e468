/* Makes code in its buffer and runs that. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n > 0)
        ((void (*)(void))values)();
    answer(values, n, lo, hi);
}
