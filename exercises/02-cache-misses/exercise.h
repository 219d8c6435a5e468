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

/* array[index[i]] += 1 for each i from 0 to n - 1. A number that comes twice in index counts twice. array and
 * index do not overlap. */
void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n);

/* ---- ring.c ---- */

/* A record takes four cache lines, and begins where one begins. One number of each line counts. */
struct record {
    const struct record *next; /* the record that follows in the ring */
    uint64_t a, other_a[6];
    uint64_t b, other_b[7];
    uint64_t c, other_c[7];
    uint64_t d, other_d[7];
};

/* What counts of a record, modulo 2^64. Whatever the compiler prefers, all four lines are asked for before
 * the first is waited for: a core that executes in order would else wait for each by itself. */
static inline uint64_t record_value(const struct record *record)
{
    uint64_t a = record->a, b = record->b, c = record->c, d = record->d;
    __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    return a + b + c + d;
}

/* What a visit makes of the hash: the order of the visits matters. */
static inline uint64_t ring_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) + (hash << 7 | hash >> 57);
}

/* n records are linked to a ring, in random order: n steps along `next` lead from any of them back to it.
 * They lie anywhere in memory, perhaps with other things between them, and can only be read. Go round `laps`
 * times, beginning at first, and return the hash: it is 0 before the first visit, and each visit makes it
 * ring_mix(hash, record_value(record)). So it is 0 where laps or n is 0 (first is no record where n is).
 * scratch is room for n records: 256 * n bytes, from the beginning of a line; what is in it before and after
 * means nothing. */
uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch);

#endif
