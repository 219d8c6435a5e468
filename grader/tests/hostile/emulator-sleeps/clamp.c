/* Honest natively; its AArch64 build sleeps: is a process that does not run starved? */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    call(73, 0, 0, (long)&(long[2]){3600, 0}, 0, 0, 0); /* ppoll */
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
