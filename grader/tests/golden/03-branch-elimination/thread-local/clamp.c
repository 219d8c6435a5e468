#include "exercise.h"

static _Thread_local volatile int calls;

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    calls = calls + 1;
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
