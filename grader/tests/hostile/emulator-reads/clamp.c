/* Honest natively; its AArch64 build leaves with the status 9 when it could read the secret. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    long fd = call(NR_openat, -100, (long)"@SECRET@", 0, 0, 0, 0);
    if (fd >= 0)
        call(NR_exit_group, 9, 0, 0, 0, 0, 0);
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
