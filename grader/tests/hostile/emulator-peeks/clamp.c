/* Honest natively; its AArch64 build leaves with the status 9 when it reached its parent's memory. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    long parent = call(NR_getppid, 0, 0, 0, 0, 0, 0), word = 0;
    long local[2] = {(long)&word, 8}, remote[2] = {0x40000000, 8};
    if (call(NR_process_vm_readv, parent, (long)local, 1, (long)remote, 1, 0) > 0 ||
        call(NR_ptrace, 16, parent, 0, 0, 0, 0) == 0)
        call(NR_exit_group, 9, 0, 0, 0, 0, 0);
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
