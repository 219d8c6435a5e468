/* Says that it is done, and stops as the runner does: nothing is computed. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    (void)values, (void)n, (void)lo, (void)hi;
    volatile uint32_t *status = (volatile uint32_t *)0x40020000;
    *status = 2;
    call(NR_kill, call(NR_getpid, 0, 0, 0, 0, 0, 0), 19, 0, 0, 0, 0);
}
