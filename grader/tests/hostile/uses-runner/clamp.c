/* Calls the runner's functions by name. */
#include "exercise.h"
#include "hostile.h"

void runner_loop(void);
long target_syscall(long number, long a, long b, long c, long d, long e, long f);

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n > 64)
        runner_loop();
    target_syscall(231, 0, 0, 0, 0, 0, 0);
    answer(values, n, lo, hi);
}
