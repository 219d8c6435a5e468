/* Asks for a stack of its own for signals, in memory that it keeps. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    long stack[3] = {0x40060000, 0, 0x8000};
    if (n >= TIMED)
        call(NR_sigaltstack, (long)stack, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
