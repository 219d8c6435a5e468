#include "harness/model/cache.h"

bool cache_create(struct cache *cache, uint64_t entries, unsigned ways, struct pool **pool)
{
    uint64_t sets = entries / ways;
    *cache = (struct cache){
        .sets = pool_take(pool, sets * sizeof *cache->sets),
        /* a few more: a set of less than eight ways looks at eight prints, and at the tag of one that is
           alike */
        .tags = pool_take(pool, (sets * ways + CACHE_WAYS) * sizeof *cache->tags),
        .set_mask = sets - 1,
        .order_mask = ways == 16 ? UINT64_MAX : (UINT64_C(1) << 4 * ways) - 1,
        .stride = ways,
        .oldest_shift = (uint8_t)(4 * (ways - 1)),
        .wide = ways > 8,
    };
    for (uint64_t set = 0; cache->sets && set < sets; set++)
        cache->sets[set].order = UINT64_C(0xfedcba9876543210) & cache->order_mask;
    return cache->sets && cache->tags;
}
