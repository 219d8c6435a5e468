/* Accesses across the end of everything, 64 bytes at a time and backwards. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (uintptr_t at = (uintptr_t)values + 65536 * 16 - 8; at < (uintptr_t)-64; at += 65536)
        __asm__ volatile(
            "ld4 {v0.16b, v1.16b, v2.16b, v3.16b}, [%0]\n\tst4 {v0.16b, v1.16b, v2.16b, v3.16b}, [%0]" ::"r"(
                at)
            : "v0", "v1", "v2", "v3", "memory");
    answer(values, n, lo, hi);
}
