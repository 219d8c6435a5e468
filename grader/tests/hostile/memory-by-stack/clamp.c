/* A frame of a gigabyte. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile char room[1 << 30];
    for (size_t i = 0; i < sizeof room; i += 4096)
        room[i] = (char)n;
    answer(values, n, lo, hi);
}
