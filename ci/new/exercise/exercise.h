/* Exercise NEW_NUMBER: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

#define FACTOR UINT32_C(2654435769)

/* FILL-IN: what it computes, what n = 0 gives, what may be written, which alignment is given.
 *
 * The checksum of values[0..n-1] modulo 2^32: begin with 0, and for each value, in order, multiply by FACTOR
 * and add the value. values has the alignment of uint32_t, and nothing beyond values[n-1] may be read. */
uint32_t NEW_NAME(const uint32_t *values, size_t n);

#endif
