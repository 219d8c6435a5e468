/* The runner's own functions, weak ones and strong ones. */
#include "exercise.h"
#include "hostile.h"

void target_forget(void);
__attribute__((weak)) void target_forget(void)
{
}
long target_syscall(long number);
long target_syscall(long number)
{
    return number;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
