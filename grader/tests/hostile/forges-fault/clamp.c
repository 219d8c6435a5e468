/* Says that it faulted, by a signal and at a place of its choice. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    (void)values, (void)n, (void)lo, (void)hi;
    volatile uint32_t *status = (volatile uint32_t *)0x40020000;
    status[0] = 5;
    status[3] = 11;
    status[4] = 0x80;
    for (unsigned i = 6; i < 18; i++)
        status[i] = 0x40000000 + i;
    call(NR_kill, call(NR_getpid, 0, 0, 0, 0, 0, 0), 11, 0, 0, 0, 0);
}
