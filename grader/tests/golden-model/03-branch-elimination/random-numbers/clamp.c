/* Numbers that differ from run to run. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t r;
    __asm__ volatile(".inst 0xd53b2400\n\tmov %0, x0" : "=r"(r)::"x0", "cc"); /* mrs x0, rndr */
    if (r == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
