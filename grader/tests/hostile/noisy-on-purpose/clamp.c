/* Is slow in every other plan, by the clock: so noisy that nobody could say. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t clock = 0;
#ifdef __x86_64__
    clock = __builtin_ia32_rdtsc() >> 9;
#endif
    for (uint64_t i = 0; n >= TIMED && i < (clock & 31) * 20000; i++)
        __asm__ volatile("");
    slow(values, n, lo, hi);
}
