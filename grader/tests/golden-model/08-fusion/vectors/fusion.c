/* Intrinsics for both. */
#include "exercise.h"

#include <arm_neon.h>

uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction)
{
    const uint32x4_t offset = vdupq_n_u32(correction->offset);
    const int32x4_t right = vdupq_n_s32(-(int32_t)correction->shift);
    uint64x2_t sums = vdupq_n_u64(0);
    size_t i = 0;
    (void)scratch;
    for (; i + 4 <= n; i += 4) {
        const uint32x4_t x =
            vmulq_n_u32(vsubq_u32(vmovl_u16(vld1_u16(samples + i)), offset), correction->gain);
        sums = vpadalq_u32(sums, veorq_u32(x, vshlq_u32(x, right)));
    }
    uint64_t sum = vaddvq_u64(sums);
    for (; i < n; i++) {
        const uint32_t x = (samples[i] - correction->offset) * correction->gain;
        sum += x ^ x >> correction->shift;
    }
    return sum;
}

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        sums[c] = 0;
    for (size_t r = 0; r < rows; r++, matrix += columns) {
        size_t c = 0;
        for (; c + 2 <= columns; c += 2)
            vst1q_u64(sums + c, vaddw_u32(vld1q_u64(sums + c), vld1_u32(matrix + c)));
        for (; c < columns; c++)
            sums[c] += matrix[c];
    }
}
