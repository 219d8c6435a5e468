/* Translation of data addresses: pages of 4 KiB, a first level that is fully associative, a second level of
 * sets with true LRU, and a walk of fixed length. Private to the memory side.
 *
 * The first level is replaced by the clock algorithm (second chance; Corbató 1968), which comes close to LRU
 * and needs one bit an entry, set by every use but the first. An entry is there at once, and usable when its
 * walk is over: what comes in between waits for it and is no miss of its own. Walks neither use the data
 * caches nor wait for each other. */
#ifndef CYCLELAB_MODEL_TLB_H
#define CYCLELAB_MODEL_TLB_H

#include "harness/model/cache.h"
#include "harness/model/core.h"

enum { TLB_PAGE_SHIFT = 12, TLB_RECENT = 64 };

struct tlb_entry {
    uint64_t page;
    uint64_t ready; /* the cycle from which it can be used */
    uint16_t wait;  /* cycles from the first request until then */
    uint16_t next;  /* in its hash chain; TLB_NONE ends it */
    bool used;      /* since the clock's hand passed */
};

struct tlb {
    /* Entries found without a search: by the page's low bits. */
    struct tlb_recent {
        uint64_t page;
        uint64_t ready; /* the cycle from which it can be used; 0 once it was */
        bool *used;     /* the entry's */
    } recent[TLB_RECENT];
    struct tlb_entry *entries; /* NULL: every translation is there */
    uint16_t *chains;
    uint32_t chain_mask;
    uint16_t count, filled, hand;
    uint16_t second_latency, walk;
    struct cache second;
};

/* False when memory is out. */
bool tlb_create(struct tlb *tlb, const struct core *core, struct pool **pool);

/* True when the translation is there for certain in `cycle`, and used; else ask tlb_translate(). */
static inline bool tlb_hit(struct tlb *tlb, uint64_t page, uint64_t cycle)
{
    struct tlb_recent *recent = &tlb->recent[page % TLB_RECENT];
    if (!tlb->entries)
        return true;
    if (recent->page != page || recent->ready > cycle)
        return false;
    *recent->used = true;
    recent->ready = 0;
    return true;
}

/* Cycles that the translation takes, and whether the first level had to be filled for it. */
uint16_t tlb_translate(struct tlb *tlb, uint64_t page, uint64_t cycle, bool *missed);

#endif
