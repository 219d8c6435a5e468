/* Hashes of the model: both halves of a product, so that every bit of the result depends on every bit of the
 * key (as in Wang Yi's wyhash). Private to the model. */
#ifndef CYCLELAB_MODEL_HASH_H
#define CYCLELAB_MODEL_HASH_H

#include <stdint.h>

static inline uint64_t hash_mix(uint64_t key, uint64_t odd)
{
    unsigned __int128 product = (unsigned __int128)key * odd;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
