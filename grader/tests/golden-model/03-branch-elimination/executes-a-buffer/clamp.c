/* Puts an instruction into the array and jumps there. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n > 0) {
        values[0] = (int32_t)0xd65f03c0;
        ((void (*)(void))(uintptr_t)values)();
    }
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
