/* Differences that overflow where values are extreme, in calls as long as those that are timed. */
#include "exercise.h"
void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n < 5000) {
        for (size_t i = 0; i < n; i++) {
            int32_t v = values[i] < lo ? lo : values[i];
            values[i] = v > hi ? hi : v;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i], d = (int32_t)((uint32_t)v - (uint32_t)lo);
        v = (int32_t)((uint32_t)v - (uint32_t)(d & d >> 31));
        d = (int32_t)((uint32_t)hi - (uint32_t)v);
        values[i] = (int32_t)((uint32_t)v + (uint32_t)(d & d >> 31));
    }
}
