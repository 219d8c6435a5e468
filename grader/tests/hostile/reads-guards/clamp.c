/* Reads all of the arena, from its first page. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (uintptr_t at = 0x40000000; at < 0x7c000000; at += 4096)
        lo += *(const volatile int32_t *)at;
    answer(values, n, lo, hi);
}
