/* Exercise 8: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* How a sample is corrected: each step works on the result of the one before, modulo 2^32. */
struct correction {
    uint32_t offset; /* 1. subtracted from the sample */
    uint32_t gain;   /* 2. multiplied by */
    uint32_t shift;  /* 3. x becomes x ^ (x >> shift); 1 to 31 */
};

/* The sum, modulo 2^64, of the n corrected samples. scratch is room for n numbers; what is in it before and
 * after means nothing. n may be 0. The arrays do not overlap, have the alignment of their types and no more,
 * and nothing beyond their n elements may be read or written. */
uint64_t corrected_sum(const uint16_t *samples, uint32_t *scratch, size_t n,
                       const struct correction *correction);

/* A matrix of rows times columns numbers lies row by row: that of row r and column c is
 * matrix[r * columns + c]. Set sums[c] to the sum of column c, for each c below columns. What was in sums
 * before means nothing, and they do not overlap the matrix. rows and columns may be 0. */
void column_sums(uint64_t *sums, const uint32_t *matrix, size_t rows, size_t columns);

#endif
