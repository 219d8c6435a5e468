/* Takes three seconds for a timed call: below the limit of a slice, and too long for a check. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    const uint64_t begin = __builtin_ia32_rdtsc();
    while (n >= TIMED && __builtin_ia32_rdtsc() - begin < UINT64_C(6000000000))
        __asm__ volatile("pause");
#else
    for (uint64_t i = 0; n >= 4096 && i < 30000000; i++)
        __asm__ volatile("yield");
#endif
    answer(values, n, lo, hi);
}
