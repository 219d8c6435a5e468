/* Makes a function at run time. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint32_t code[2] = {0xd65f03c0, 0xd65f03c0};
    __asm__ volatile("" ::"r"(code) : "memory");
    ((void (*)(void))(uintptr_t)code)();
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
