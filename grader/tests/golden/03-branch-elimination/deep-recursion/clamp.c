#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile int32_t room[4096];
    room[0] = hi;
    clamp(values, n, lo, room[0]);
    room[1] = room[0];
}
