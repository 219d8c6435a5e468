/* Waits for an interrupt: the emulator would end the run as if it had gone well. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    (void)values, (void)n, (void)lo, (void)hi;
    __asm__ volatile("wfi");
}
