/* Four at a time. */
#include "exercise.h"

#include <arm_neon.h>

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        vst1q_s32(values + i, vminq_s32(vmaxq_s32(vld1q_s32(values + i), vdupq_n_s32(lo)), vdupq_n_s32(hi)));
    for (; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}
