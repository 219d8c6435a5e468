/* Exercise 3: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* Put every element of values[0..n-1] into the range [lo, hi], in place: what is above hi becomes hi, else
 * what is below lo becomes lo. n may be 0; lo <= hi. values has the alignment of int32_t and no more. Of the
 * registers that lo and hi come in the upper half is anything. */
void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi);

#endif
