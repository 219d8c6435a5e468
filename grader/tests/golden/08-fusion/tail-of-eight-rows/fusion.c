/* Eight rows a round, and of them sixteen columns at a time. The columns that are left begin at 0 instead of
 * behind the blocks. */
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

static inline uint64_t below(const uint32_t *a, size_t columns, size_t rows)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < rows; k++)
        sum += a[k * columns];
    return sum;
}

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    size_t r = 0;
    for (size_t c = 0; c < columns; c++)
        sums[c] = 0;
    for (; r + 8 <= rows; r += 8) {
        const size_t whole = columns / 16 * 16;
        for (size_t half = 0; half < 8; half += 4) {
            const uint32_t *a = matrix + (r + half) * columns, *b = a + columns, *x = b + columns,
                           *y = x + columns;
            for (size_t c = 0; c < whole; c++)
                sums[c] += ((uint64_t)a[c] + b[c]) + ((uint64_t)x[c] + y[c]);
        }
        for (size_t c = 0; c < columns % 16; c++)
            sums[c] += below(matrix + r * columns + c, columns, 8);
    }
    for (; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            sums[c] += matrix[r * columns + c];
}
