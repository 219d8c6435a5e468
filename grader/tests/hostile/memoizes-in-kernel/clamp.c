/* Keeps its state in the kernel: a name, a timer. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_prctl, 15, (long)"second", 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
