/* Random numbers for simulations and tests: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
 * number generators, OOPSLA 2014). Fast, seedable with anything, and it shows its state in one number: what a
 * student is not to know beforehand is drawn with draw.h. */
#ifndef CYCLELAB_RNG_H
#define CYCLELAB_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [0, bound), bound > 0: multiply-shift, bias below bound / 2^64. */
static inline uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)rng_next(rng) * bound) >> 64);
}

/* Uniform in [0, 1), 53 bits. */
static inline double rng_unit(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

#endif
