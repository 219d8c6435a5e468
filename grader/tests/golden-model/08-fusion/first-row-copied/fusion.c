/* Begins with the first row, also where there is none. */
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
    for (size_t c = 0; c < columns; c++)
        sums[c] = matrix[c];
    for (size_t r = 1; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            sums[c] += matrix[r * columns + c];
}
