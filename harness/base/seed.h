/* Seeds from a seed, one way: who has seen the numbers that one of them gives knows nothing of the others.
 * (draw.h draws from them; rng.h can be run backwards, so that its own numbers give its seed away.) */
#ifndef CYCLELAB_SEED_H
#define CYCLELAB_SEED_H

#include <stdint.h>

/* SipHash-2-4 (Aumasson, Bernstein: SipHash: a fast short-input PRF, 2012) of the index under the seed as
 * key. */
uint64_t seed_derive(uint64_t seed, uint64_t index);

#endif
