/* Exercise 10: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* The lesser and the greater of two numbers. Of each register that an argument of 32 bits comes in, here and
 * below, the upper half is anything. */
int32_t minimum(int32_t a, int32_t b);
int32_t maximum(int32_t a, int32_t b);

/* x without its sign. That of INT32_MIN is 2^31, which only the result's type can hold. */
uint32_t magnitude(int32_t x);

/* There are n groups of eight numbers each, one after the other: group g is groups[8 * g] to groups[8 * g +
 * 7]. Sort each group in place, the least number first. n may be 0. groups has the alignment of int32_t and
 * no more, and nothing beyond groups[8 * n - 1] may be read or written. */
void sort_groups(int32_t *groups, size_t n);

#endif
