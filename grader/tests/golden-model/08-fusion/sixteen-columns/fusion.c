/* The old order by cache lines: sixteen columns at a time, each with a sum in a local array. */
#include "exercise.h"

uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction)
{
    const uint32_t offset = correction->offset, gain = correction->gain, shift = correction->shift;
    uint64_t sum = 0;
    (void)scratch;

    for (size_t i = 0; i < n; i++) {
        const uint32_t x = (samples[i] - offset) * gain;
        sum += x ^ x >> shift;
    }
    return sum;
}

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    for (size_t from = 0; from < columns; from += 16) {
        const size_t some = columns - from < 16 ? columns - from : 16;
        uint64_t local[16] = {0};
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < some; c++)
                local[c] += matrix[r * columns + from + c];
        for (size_t c = 0; c < some; c++)
            sums[from + c] = local[c];
    }
}
