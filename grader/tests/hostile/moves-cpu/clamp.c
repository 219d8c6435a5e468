/* Moves to another CPU, with another priority. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t cpus = ~UINT64_C(0);
    call(NR_sched_setaffinity, 0, 8, (long)&cpus, 0, 0, 0);
    call(NR_setpriority, 0, 0, 19, 0, 0, 0);
    answer(values, n, lo, hi);
}
