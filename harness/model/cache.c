#include "harness/model/cache.h"

#include <stdlib.h>
#include <string.h>

bool cache_create(struct cache *cache, uint64_t entries, unsigned ways, struct error *err)
{
    *cache = (struct cache){0};
    uint64_t sets = entries / ways;
    cache->set_mask = sets - 1;
    cache->order_mask = ways == 16 ? UINT64_MAX : (UINT64_C(1) << 4 * ways) - 1;
    cache->stride = ways;
    cache->oldest_shift = (uint8_t)(4 * (ways - 1));
    cache->wide = ways > 8;
    cache->sets = calloc(sets, sizeof *cache->sets);
    /* a few more: a set of less than eight ways looks at eight prints, and at the tag of one that is alike */
    cache->tags = calloc(sets * ways + CACHE_WAYS, sizeof *cache->tags);
    if (!cache->sets || !cache->tags) {
        cache_destroy(cache);
        return error_set(err, "no memory for the model of a cache of %llu lines",
                         (unsigned long long)entries);
    }
    cache_reset(cache);
    return true;
}

void cache_destroy(struct cache *cache)
{
    free(cache->sets);
    free(cache->tags);
    *cache = (struct cache){0};
}

void cache_reset(struct cache *cache)
{
    if (!cache->sets)
        return;
    size_t sets = (size_t)cache->set_mask + 1;
    memset(cache->tags, 0, sets * cache->stride * sizeof *cache->tags);
    for (size_t set = 0; set < sets; set++)
        cache->sets[set] = (struct cache_set){UINT64_C(0xfedcba9876543210) & cache->order_mask, {0, 0}};
}
