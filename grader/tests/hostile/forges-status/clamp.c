/* Fills the page that the runner writes with every state there is, and traps. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    (void)values, (void)n, (void)lo, (void)hi;
    volatile uint32_t *status = (volatile uint32_t *)0x40020000;
    for (unsigned i = 0; i < 16384; i++)
        status[i] = 0xfffffff0 + i % 16;
    status[0] = 2;
    __builtin_trap();
}
