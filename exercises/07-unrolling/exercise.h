/* Exercise 7: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* Set each of values[0..n-1] to `value`. n may be 0. values has the alignment of uint32_t and no more, and
 * nothing beyond values[n-1] may be written. Of the register that `value` comes in, as of each that an
 * argument of 32 bits comes in, the upper half is anything. */
void fill(uint32_t *values, size_t n, uint32_t value);

#endif
