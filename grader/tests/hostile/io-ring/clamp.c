/* A second door to the system's calls: a ring that the kernel works off. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    char parameters[120] = {0};
    call(NR_io_uring_setup, 8, (long)parameters, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
