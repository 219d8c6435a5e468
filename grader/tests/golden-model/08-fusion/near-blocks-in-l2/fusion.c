/* Blocks of rows that fit into L2, four columns at a time in each: a line comes into L1D four times, from L2,
 * and a prefetch hides that from whoever counts the misses of loads. */
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

enum { BLOCK = 64, AHEAD = 8, SOME = 4 };

void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        sums[c] = 0;
    for (size_t from = 0; from < rows; from += BLOCK) {
        const size_t end = rows - from < BLOCK ? rows : from + BLOCK;
        size_t c = 0;
        for (; c + SOME <= columns; c += SOME) {
            uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            for (size_t r = from; r < end; r++) {
                const uint32_t *row = matrix + r * columns + c;
                __builtin_prefetch(row + AHEAD * columns);
                s0 += row[0];
                s1 += row[1];
                s2 += row[2];
                s3 += row[3];
            }
            sums[c] += s0;
            sums[c + 1] += s1;
            sums[c + 2] += s2;
            sums[c + 3] += s3;
        }
        for (; c < columns; c++)
            for (size_t r = from; r < end; r++)
                sums[c] += matrix[r * columns + c];
    }
}
