#include "harness/model/tlb.h"

enum { TLB_NONE = UINT16_MAX };

static uint16_t *chain_of(struct tlb *tlb, uint64_t page)
{
    return &tlb->chains[page & tlb->chain_mask];
}

bool tlb_create(struct tlb *tlb, const struct core *core, struct pool **pool)
{
    *tlb = (struct tlb){
        .count = core->tlb.entries, .second_latency = core->tlb.second_latency, .walk = core->tlb.walk};
    for (unsigned i = 0; i < TLB_RECENT; i++)
        tlb->recent[i].page = UINT64_MAX;
    if (tlb->count == 0)
        return true;
    uint32_t chains = 1;
    while (chains < 16u * tlb->count)
        chains *= 2;
    tlb->chain_mask = chains - 1;
    tlb->entries = pool_take(pool, tlb->count * sizeof *tlb->entries);
    tlb->chains = pool_take(pool, chains * sizeof *tlb->chains);
    for (uint32_t i = 0; tlb->chains && i < chains; i++)
        tlb->chains[i] = TLB_NONE;
    return tlb->entries && tlb->chains &&
           (core->tlb.second_entries == 0 ||
            cache_create(&tlb->second, core->tlb.second_entries, core->tlb.second_ways, pool));
}

static void forget(struct tlb *tlb, uint16_t entry)
{
    uint64_t page = tlb->entries[entry].page;
    uint16_t *link = chain_of(tlb, page);
    while (*link != entry)
        link = &tlb->entries[*link].next;
    *link = tlb->entries[entry].next;
    if (tlb->recent[page % TLB_RECENT].page == page)
        tlb->recent[page % TLB_RECENT].page = UINT64_MAX;
}

/* An entry to fill: one that never was, or the first that the hand finds unused. */
static uint16_t take_entry(struct tlb *tlb)
{
    if (tlb->filled < tlb->count)
        return tlb->filled++;
    for (;;) {
        uint16_t at = tlb->hand;
        tlb->hand = (uint16_t)(at + 1 == tlb->count ? 0 : at + 1);
        if (!tlb->entries[at].used) {
            forget(tlb, at);
            return at;
        }
        tlb->entries[at].used = false;
    }
}

static uint16_t second_level(struct tlb *tlb, uint64_t page)
{
    if (!tlb->second.sets)
        return tlb->walk;
    unsigned way = cache_find(&tlb->second, page);
    if (way == CACHE_MISS) {
        cache_insert(&tlb->second, page, 0, &way);
        return tlb->walk;
    }
    cache_touch(&tlb->second, page, way);
    return tlb->second_latency;
}

uint16_t tlb_translate(struct tlb *tlb, uint64_t page, uint64_t cycle, bool *missed)
{
    *missed = false;
    if (tlb_hit(tlb, page, cycle))
        return 0;
    uint16_t at = *chain_of(tlb, page);
    while (at != TLB_NONE && tlb->entries[at].page != page)
        at = tlb->entries[at].next;
    if (at != TLB_NONE) {
        struct tlb_entry *entry = &tlb->entries[at];
        entry->used = true;
        if (entry->ready <= cycle) {
            tlb->recent[page % TLB_RECENT] = (struct tlb_recent){page, 0, &entry->used};
            return 0;
        }
        /* Earlier than the request itself, as seen out of order: it takes as long as that. */
        uint64_t left = entry->ready - cycle;
        return left < entry->wait ? (uint16_t)left : entry->wait;
    }
    *missed = true;
    uint16_t wait = second_level(tlb, page);
    at = take_entry(tlb);
    uint16_t *chain = chain_of(tlb, page);
    tlb->entries[at] = (struct tlb_entry){page, cycle + wait, wait, *chain, false};
    *chain = at;
    tlb->recent[page % TLB_RECENT] = (struct tlb_recent){page, cycle + wait, &tlb->entries[at].used};
    return wait;
}
