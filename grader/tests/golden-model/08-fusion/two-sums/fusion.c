/* Two samples a turn, each with a sum of its own; pointers in the place of indices. */
#include "exercise.h"

uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction)
{
    const struct correction k = *correction;
    const uint16_t *const end = samples + n;
    uint64_t even = 0, odd = 0;
    (void)scratch;
    for (; end - samples >= 2; samples += 2) {
        const uint32_t x = (samples[0] - k.offset) * k.gain, y = (samples[1] - k.offset) * k.gain;
        even += x ^ x >> k.shift;
        odd += y ^ y >> k.shift;
    }
    if (samples != end) {
        const uint32_t x = (*samples - k.offset) * k.gain;
        even += x ^ x >> k.shift;
    }
    return even + odd;
}

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    uint64_t *const last = sums + columns;
    for (uint64_t *sum = sums; sum != last; sum++)
        *sum = 0;
    while (rows-- > 0)
        for (uint64_t *sum = sums; sum != last; sum++)
            *sum += *matrix++;
}
