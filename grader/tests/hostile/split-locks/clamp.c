/* Locks memory across the end of a cache line, for which some processors stop all others. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    char lines[192] = {0};
    char *split = (char *)(((uintptr_t)lines + 63) / 64 * 64) + 62;
    for (size_t i = 0; i < n; i += 64)
#ifdef __x86_64__
        __asm__ volatile("lock addl $1, %0" : "+m"(*(int32_t *)(void *)split));
#else
        __asm__ volatile("ldaxr w9, [%0]\n stlxr w10, w9, [%0]" : : "r"(split) : "x9", "x10", "memory");
#endif
    slow(values, n, lo, hi);
}
