/* Exercise 5: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* a[0] * b[0] + a[1] * b[1] + ... + a[n-1] * b[n-1] in single precision; 0 where n is 0. The result may
 * differ from the exact one by (n + 2) / 2^24 of the sum of the products' magnitudes. Nothing beyond a[n-1]
 * and b[n-1] may be read. */
float dot(const float *a, const float *b, size_t n);

/* The slot of the table at which the search for `key` begins. */
static inline uint64_t first_slot(uint64_t key, uint64_t mask)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
}

/* The table is a hash table of mask + 1 slots, a power of two. A slot holds a key, or 0 where it is empty. A
 * key that is in the table is in its first slot or in the next ones, going round from slot `mask` to slot 0,
 * before any empty slot; at least one slot is empty.
 *
 * Returns the sum, modulo 2^64, of those of keys[0..n-1] that are in the table. No key is 0; the same key may
 * come more than once and counts each time. Nothing beyond keys[n-1] may be read. */
uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n);

#endif
