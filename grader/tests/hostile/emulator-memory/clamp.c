/* Honest natively; its AArch64 build takes memory until there is none. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __aarch64__
    for (int i = 0; i < 1024; i++) {
        long at = call(NR_mmap, 0, 1L << 30, 3, 0x22, -1, 0);
        for (long k = 0; at > 0 && k < 1L << 30; k += 4096)
            *(volatile char *)(at + k) = 1;
    }
    call(NR_exit_group, 7, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
