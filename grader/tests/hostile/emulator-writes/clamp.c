/* Honest natively; its AArch64 build writes where it can, and says PASS. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    call(NR_openat, -100, (long)"@ROOT@/cyclelab-canary", 0101, 0666, 0, 0);
    call(NR_openat, -100, (long)"/tmp/cyclelab-canary", 0101, 0666, 0, 0);
    call(NR_openat, -100, (long)"cyclelab-canary", 0101, 0666, 0, 0);
    call(NR_write, 2, (long)"PASS\n", 5, 0, 0, 0);
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
