/* Takes the handler of forbidden system calls away. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t action[4] = {1, 0x04000000, 0, 0};
    call(NR_rt_sigaction, 31, (long)action, 0, 8, 0, 0);
    call(NR_write, 1, (long)"PASS\n", 5, 0, 0, 0);
    answer(values, n, lo, hi);
}
