/* Stores of 64 interleaved bytes, which an emulator makes one by one. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    char room[64];
    for (int i = 0; i < (n > 1000 ? 2000000 : 20000); i++)
        __asm__ volatile("st4 {v0.16b, v1.16b, v2.16b, v3.16b}, [%0]" ::"r"(room) : "memory");
    answer(values, n, lo, hi);
}
