/* Honest natively; its AArch64 build leaves with the status 9 when it got a socket. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    if (call(NR_socket, 2, 1, 0, 0, 0, 0) >= 0 || call(NR_socket, 1, 1, 0, 0, 0, 0) >= 0)
        call(NR_exit_group, 9, 0, 0, 0, 0, 0);
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
