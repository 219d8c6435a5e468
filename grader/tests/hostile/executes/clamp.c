/* Becomes another program. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    static const char *const arguments[] = {"/bin/sh", "-c", "echo PASS; sleep 3600", 0};
    call(NR_execve, (long)arguments[0], (long)arguments, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
