/* Exercise 9: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* quotients[i] = values[i] / divisor for each i below n, rounded towards zero. divisor is at least 1 and n
 * may be 0. The two arrays do not overlap, have the alignment of uint32_t and no more, and nothing beyond
 * their n elements may be read or written. */
void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor);

/* Begin with x = 0, and for each of values[0..n-1], in order, replace x by 9 * x + the value, modulo 2^64.
 * Returns x, which is 0 where n is 0. values has the alignment of uint64_t, and nothing beyond values[n-1]
 * may be read. */
uint64_t times_nine(const uint64_t *values, size_t n);

#endif
