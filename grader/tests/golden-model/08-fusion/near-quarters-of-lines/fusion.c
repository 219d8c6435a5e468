/* Rows are outside in part: 24 of them, which L2 has, are gone through four times, a quarter of each line at
 * a time. They lie in a row in memory, so the core's own prefetcher hides that each line comes into L1D four
 * times. */
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

enum { BLOCK = 24, LINE = 16, SOME = 4 };

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        sums[c] = 0;
    for (size_t from = 0; from < rows; from += BLOCK) {
        const size_t end = rows - from < BLOCK ? rows : from + BLOCK;
        const size_t whole = columns - columns % LINE;
        for (size_t part = 0; part < LINE; part += SOME)
            for (size_t r = from; r < end; r++)
                for (size_t c = part; c < whole; c += LINE) {
                    const uint32_t *four = matrix + r * columns + c;
                    sums[c] += four[0];
                    sums[c + 1] += four[1];
                    sums[c + 2] += four[2];
                    sums[c + 3] += four[3];
                }
        for (size_t r = from; r < end; r++)
            for (size_t c = whole; c < columns; c++)
                sums[c] += matrix[r * columns + c];
    }
}
