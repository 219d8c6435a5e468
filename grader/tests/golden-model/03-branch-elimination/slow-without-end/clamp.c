/* Right, but some thousand times too slow where there is much to do. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t wait = 0; n > 5000 && wait < 1000 * n; wait++)
        __asm__ volatile("");
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
