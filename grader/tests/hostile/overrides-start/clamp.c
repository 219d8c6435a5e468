/* A start of its own. */
#include "exercise.h"
#include "hostile.h"

void _start(void);
void _start(void)
{
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
