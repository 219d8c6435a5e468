/* The matrix is read along its rows, the passes are as they were. */
#include "exercise.h"

uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction)
{
    const uint32_t offset = correction->offset, gain = correction->gain, shift = correction->shift;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        scratch[i] = samples[i] - offset;
    for (size_t i = 0; i < n; i++)
        scratch[i] = scratch[i] * gain;
    for (size_t i = 0; i < n; i++)
        scratch[i] = scratch[i] ^ scratch[i] >> shift;
    for (size_t i = 0; i < n; i++)
        sum += scratch[i];
    return sum;
}

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        sums[c] = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            sums[c] += matrix[r * columns + c];
}
