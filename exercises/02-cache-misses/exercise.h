/* Exercise 2: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* ---- rates.c ---- */

/* What a profiler counted in one run; each below 2^53. Some count prefetches as well: there can be more
 * misses than loads. */
struct miss_counters {
    uint64_t l1d_loads,
        l1d_load_misses; /* loads that asked the first-level data cache, and did not find it */
    uint64_t llc_loads, llc_load_misses; /* the same for the last-level cache */
};

/* Misses by loads, as a fraction: 0.25 where one load in four misses. 0 where there was no load. */
double l1d_miss_rate(const struct miss_counters *counters);
double llc_miss_rate(const struct miss_counters *counters);

/* ---- shuffle.c ---- */

/* A random number, each of 0 ... bound - 1 as likely as the others; bound is at least 1. *state is where the
 * sequence of random numbers stands: it begins with the seed, and each call moves it on. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint64_t)(((unsigned __int128)z * bound) >> 64);
}

/* Write the numbers 0 ... n - 1 to index[0..n-1] in random order: each of the n! orders as likely as the
 * others. The same seed gives the same order. What was in index before means nothing. n is below 2^32. */
void shuffle(uint32_t *index, size_t n, uint64_t seed);

/* ---- walk.c ---- */

/* array[i] += 1 for each i from 0 to n - 1. */
void walk_sequential(uint32_t *array, size_t n);

/* array[index[i]] += 1 for each i from 0 to n - 1. A number that comes twice in index counts twice. */
void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n);

/* What walk_shuffled does, in an order of your own that is kind to the caches. array has `length` elements,
 * and every index[i] is below length. scratch has room for n numbers; what is in it before and after means
 * nothing. The three do not overlap. */
void walk_partitioned(uint32_t *array, size_t length, const uint32_t *index, size_t n, uint32_t *scratch);

#endif
