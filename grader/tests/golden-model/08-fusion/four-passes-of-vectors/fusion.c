/* All four passes through the whole of scratch, four numbers at a time. */
#include <arm_neon.h>
#include "exercise.h"

#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory") /* the compiler may not fuse them either */

uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction)
{
    const uint32_t offset = correction->offset, gain = correction->gain, shift = correction->shift;
    const uint32x4_t offsets = vdupq_n_u32(offset), gains = vdupq_n_u32(gain);
    const int32x4_t right = vdupq_n_s32(-(int32_t)shift);
    const size_t whole = n & ~(size_t)7;
    uint64x2_t sums = vdupq_n_u64(0), more = vdupq_n_u64(0);
    uint64_t sum;
    size_t i;

    for (i = 0; i < whole; i += 8) { /* pass 1: the offset */
        const uint16x8_t x = vld1q_u16(samples + i);
        vst1q_u32(scratch + i, vsubq_u32(vmovl_u16(vget_low_u16(x)), offsets));
        vst1q_u32(scratch + i + 4, vsubq_u32(vmovl_high_u16(x), offsets));
    }
    for (; i < n; i++)
        scratch[i] = samples[i] - offset;
    KEEP(scratch);
    for (i = 0; i < whole; i += 8) { /* pass 2: the gain */
        vst1q_u32(scratch + i, vmulq_u32(vld1q_u32(scratch + i), gains));
        vst1q_u32(scratch + i + 4, vmulq_u32(vld1q_u32(scratch + i + 4), gains));
    }
    for (; i < n; i++)
        scratch[i] *= gain;
    KEEP(scratch);
    for (i = 0; i < whole; i += 8) { /* pass 3: the shift */
        const uint32x4_t x = vld1q_u32(scratch + i), y = vld1q_u32(scratch + i + 4);
        vst1q_u32(scratch + i, veorq_u32(x, vshlq_u32(x, right)));
        vst1q_u32(scratch + i + 4, veorq_u32(y, vshlq_u32(y, right)));
    }
    for (; i < n; i++)
        scratch[i] ^= scratch[i] >> shift;
    KEEP(scratch);
    for (i = 0; i < whole; i += 8) { /* pass 4: the sum */
        sums = vpadalq_u32(sums, vld1q_u32(scratch + i));
        more = vpadalq_u32(more, vld1q_u32(scratch + i + 4));
    }
    sums = vaddq_u64(sums, more);
    sum = vgetq_lane_u64(sums, 0) + vgetq_lane_u64(sums, 1);
    for (; i < n; i++)
        sum += scratch[i];
    return sum;
}

/* Honest. */
void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        sums[c] = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            sums[c] += matrix[r * columns + c];
}
