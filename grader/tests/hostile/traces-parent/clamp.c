/* Attaches to the grader as a debugger. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    call(NR_ptrace, 16, call(NR_getpid, 0, 0, 0, 0, 0, 0) - 1, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
