/* The host's clock, to know a busy host from a quiet one, and a timer's interrupt. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t t;
    __asm__ volatile("isb\n\tmrs %0, cntpct_el0\n\tmsr cntp_cval_el0, %0\n\tmsr cntp_ctl_el0, %1"
                     : "=&r"(t)
                     : "r"(1L));
    lo += t == 0;
    answer(values, n, lo, hi);
}
