/* Each order is loaded in all its 64 bytes on every day; prefetched, and added up without a branch. */
#include <arm_neon.h>
#include "exercise.h"

enum { DISTANCE = 24 };

/* Lane 0 of the first vector is `items` itself: no number of items reaches that index. */
static const uint32_t place_of[16] = {UINT32_MAX, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    const uint32x4_t p0 = vld1q_u32(place_of), p1 = vld1q_u32(place_of + 4), p2 = vld1q_u32(place_of + 8),
                     p3 = vld1q_u32(place_of + 12);
    uint64x2_t sum = vdupq_n_u64(0);
    for (size_t i = 0; i < n; i++) {
        if (i + DISTANCE < n)
            __builtin_prefetch(&orders[wanted[i + DISTANCE]]);
        const uint32_t *at = (const uint32_t *)&orders[wanted[i]];
        const uint32x4_t a = vld1q_u32(at), b = vld1q_u32(at + 4), c = vld1q_u32(at + 8),
                         d = vld1q_u32(at + 12);
        const uint32x4_t items = vdupq_laneq_u32(a, 0);
        const uint32x4_t ab =
            vaddq_u32(vandq_u32(a, vcgeq_u32(items, p0)), vandq_u32(b, vcgeq_u32(items, p1)));
        const uint32x4_t cd =
            vaddq_u32(vandq_u32(c, vcgeq_u32(items, p2)), vandq_u32(d, vcgeq_u32(items, p3)));
        sum = vpadalq_u32(sum, vaddq_u32(ab, cd));
    }
    return vgetq_lane_u64(sum, 0) + vgetq_lane_u64(sum, 1);
}

void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    (void)count;
    (void)scratch;
    for (size_t d = 0; d < days; d++)
        totals[d] = total(orders, wanted + d * n, n);
}
