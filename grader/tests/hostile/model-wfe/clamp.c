/* Waits for an event that nobody sends. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (;;)
        __asm__ volatile("wfe");
    (void)values, (void)n, (void)lo, (void)hi;
}
