/* Exercise 4: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>

/* The sum of values[0..n-1], in single precision; 0 where n is 0. The order of the additions is yours: the
 * result may differ from the exact sum by (n + 2) / 2^24 of the sum of the values' magnitudes. values has the
 * alignment of float and no more, and nothing beyond values[n-1] may be read. */
float sum(const float *values, size_t n);

#endif
