/* Honest natively; its AArch64 build, which runs under Linux in qemu, leaves a child behind. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    if (call(NR_clone, 17, 0, 0, 0, 0, 0) == 0) {
        call(NR_setsid, 0, 0, 0, 0, 0, 0);
        call(NR_clone, 17, 0, 0, 0, 0, 0);
        for (;;)
            call(NR_nanosleep, (long)&(long[2]){3600, 0}, 0, 0, 0, 0, 0);
    }
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
