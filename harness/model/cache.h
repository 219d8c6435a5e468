/* Tags of a set-associative cache with true LRU; the second-level TLB is one too. Private to the memory side.
 *
 * The recency of a set is a permutation of its ways in one word, four bits a way, the most recent lowest: a
 * move to the front is a shift of the part below (no tag moves, so that what goes with a line can stand
 * beside it at the same index). The most recent way is compared first. A search of the others looks at one
 * byte of hash a way, eight ways in one word, and at a full tag only where that agrees: most misses read no
 * tag. */
#ifndef CYCLELAB_MODEL_CACHE_H
#define CYCLELAB_MODEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/pool.h"

enum { CACHE_WAYS = 16, CACHE_MISS = CACHE_WAYS };

/* The low bits of a tag; the line's number is above. */
enum {
    CACHE_VALID = 1,
    CACHE_DIRTY = 2,  /* the same bit as in op.h's OP_MEMORY_STORE and OP_MEMORY_UPDATE */
    CACHE_FRESH = 4,  /* asked for by the prefetcher, not used since */
    CACHE_SHARED = 8, /* another core's L1D may have it, too: not to be written without asking */
    CACHE_FLAG_BITS = 4
};

struct cache_set {
    uint64_t order;
    uint64_t prints[CACHE_WAYS / 8];
};

struct cache {
    struct cache_set *sets; /* NULL: there is no such cache */
    uint64_t *tags;         /* of each set `stride` */
    uint64_t set_mask;
    uint64_t order_mask;
    uint32_t stride;      /* ways */
    uint8_t oldest_shift; /* of the least recent way in `order` */
    bool wide;            /* more than eight ways */
};

/* `entries` lines in sets of `ways` (1 to 16), which has to make a power of two of sets (core_check).
 * False when memory is out. */
bool cache_create(struct cache *cache, uint64_t entries, unsigned ways, struct pool **pool);

static inline struct cache_set *cache_set(const struct cache *cache, uint64_t line)
{
    return &cache->sets[line & cache->set_mask];
}

/* Where the tag of this line's set and way is, and what goes with it. */
static inline size_t cache_index(const struct cache *cache, uint64_t line, unsigned way)
{
    return (size_t)(line & cache->set_mask) * cache->stride + way;
}

static inline uint64_t cache_tag(uint64_t line)
{
    return line << CACHE_FLAG_BITS | CACHE_VALID;
}

static inline bool cache_matches(uint64_t tag, uint64_t line)
{
    return (tag & ~(uint64_t)(CACHE_DIRTY | CACHE_FRESH | CACHE_SHARED)) == cache_tag(line);
}

static inline uint8_t cache_print(uint64_t line)
{
    return (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Eight ways' bytes against one, the answers in the bytes' highest bits: the lowest hit is exact, those above
 * may be false ones. */
static inline uint64_t cache_candidates(uint64_t prints, uint8_t print)
{
    uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t differ = prints ^ print * ones;
    return (differ - ones) & ~differ & ones << 7;
}

/* The way that holds the line, or CACHE_MISS; recency stays as it is. Both halves' candidates in one word:
 * where the line is found is not to be a branch of its own, which the host could only guess. */
static inline unsigned cache_find(const struct cache *cache, uint64_t line)
{
    const struct cache_set *set = cache_set(cache, line);
    const uint64_t *tags = &cache->tags[cache_index(cache, line, 0)];
    uint8_t print = cache_print(line);
    uint64_t hits = cache_candidates(set->prints[0], print);
    if (cache->wide)
        hits |= cache_candidates(set->prints[1], print) >> 1;
    for (; hits; hits &= hits - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(hits), way = bit / 8 + (bit % 2 ? 0 : 8);
        if (cache_matches(tags[way], line))
            return way;
    }
    return CACHE_MISS;
}

/* Brings what is known of the line's set nearer to the host's own core. */
static inline void cache_hint(const struct cache *cache, uint64_t line)
{
    if (!cache->sets)
        return;
    const uint64_t *tags = &cache->tags[cache_index(cache, line, 0)];
    __builtin_prefetch(cache_set(cache, line), 1);
    __builtin_prefetch(tags, 1);
    if (cache->wide)
        __builtin_prefetch(tags + 8, 1);
}

/* The way becomes the most recent of its set. */
static inline void cache_touch(struct cache *cache, uint64_t line, unsigned way)
{
    struct cache_set *set = cache_set(cache, line);
    uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t differ = set->order ^ way * ones;
    unsigned at = (unsigned)__builtin_ctzll((differ - ones) & ~differ & ones << 3) & ~3u;
    uint64_t below = (UINT64_C(1) << at) - 1;
    set->order = (set->order & ~(below << 4 | 15)) | (set->order & below) << 4 | way;
}

/* The line takes the place of its set's least recent one, whose tag comes back, and becomes the most recent.
 * It must not be there. */
static inline uint64_t cache_insert(struct cache *cache, uint64_t line, unsigned flags, unsigned *way)
{
    struct cache_set *set = cache_set(cache, line);
    unsigned oldest = set->order >> cache->oldest_shift & 15;
    uint64_t *tag = &cache->tags[cache_index(cache, line, oldest)];
    uint64_t victim = *tag;
    *tag = cache_tag(line) | flags;
    set->order = (set->order << 4 | oldest) & cache->order_mask;
    unsigned shift = (oldest & 7) * 8;
    uint64_t *prints = &set->prints[oldest / 8];
    *prints = (*prints & ~(UINT64_C(255) << shift)) | (uint64_t)cache_print(line) << shift;
    *way = oldest;
    return victim;
}

/* The way is empty, and the next to be filled. */
static inline void cache_remove(struct cache *cache, uint64_t line, unsigned way)
{
    struct cache_set *set = cache_set(cache, line);
    cache_touch(cache, line, way);
    set->order = set->order >> 4 | (uint64_t)way << cache->oldest_shift;
    cache->tags[cache_index(cache, line, way)] = 0;
}

#endif
