/* The memory side's state, and the access that costs nothing, inline for who drives it. Private to the model.
 */
#ifndef CYCLELAB_MODEL_MEMORY_FAST_H
#define CYCLELAB_MODEL_MEMORY_FAST_H

#include "harness/model/cache.h"
#include "harness/model/channel.h"
#include "harness/model/memory.h"
#include "harness/model/op.h"
#include "harness/model/prefetcher.h"
#include "harness/model/tlb.h"

/* What kind of access it is, in one bit each. */
enum { MEMORY_READS = 1, MEMORY_WRITES = 2, MEMORY_PREFETCHES = 4 };
_Static_assert((int)OP_MEMORY_LOAD == MEMORY_READS && (int)OP_MEMORY_STORE == MEMORY_WRITES &&
                   (int)OP_MEMORY_UPDATE == (MEMORY_READS | MEMORY_WRITES) &&
                   (int)OP_MEMORY_PREFETCH == MEMORY_PREFETCHES,
               "op.h's kinds of access are these bits");
_Static_assert((int)CACHE_DIRTY == (int)MEMORY_WRITES, "a write's bit makes a line dirty");

/* A line of L1D on its way. */
struct memory_fill {
    uint64_t ready; /* the cycle in which the line is there */
    uint32_t wait;  /* cycles from the request until then */
    uint8_t level;  /* where it comes from */
};

/* A place for an outstanding miss: taken in [begin, ready), free from `free` until `begin`. Misses come in
 * program order, their cycles out of it: one that is asked for earlier than the last one finds it free. */
struct memory_place {
    uint64_t free, begin, ready;
};

/* Lines that left L1D before they had come there, the last ones: no level below has them earlier. */
enum { MEMORY_STRAYS = 256 };
struct memory_strays {
    struct memory_stray {
        uint64_t line;
        struct memory_fill fill;
    } lines[MEMORY_STRAYS];
    unsigned next;
    uint64_t until; /* all have come */
};

/* The most recent line of a set of L1D: most accesses find theirs here and have nothing to update but its
 * tag. */
struct memory_recent {
    uint64_t line;
    uint64_t ready; /* the cycle in which it is there; never, while its first use is to be noticed */
    uint64_t *tag;
};

struct memory {
    unsigned line_shift;
    uint64_t line_mask;           /* of the bytes in a line */
    struct memory_recent *recent; /* of each set of L1D */
    struct cache l1d;
    struct memory_fill *lines; /* of each tag of L1D */
    struct memory_counts counts;
    struct tlb tlb;

    uint64_t fetched; /* the line that was fetched last, + 1 */
    struct cache l1i, l2, llc;
    uint32_t extra[4]; /* per level: cycles beyond a hit in L1 */
    bool last_is_l2;   /* there is no LLC: what it would count is counted at L2 */
    struct memory_place places[UINT8_MAX];
    uint8_t fill_count, next_place;
    struct prefetcher prefetcher;
    struct channel *channel, *refill; /* from memory; from L2: the first core's */
    struct channel channels[2];
    struct memory_strays *strays, own_strays; /* the first core's */
    struct memory *other; /* of the other core, which has an L1D of its own; NULL: there is none */
    uint32_t transfer;    /* cycles from asking the other core to its answer */
};

/* True when the access is over and done with, at no extra cycle: all of it is in L1D, usable in `cycle`, and
 * its translation at hand. Otherwise nothing has happened, and memory_data() has to be called. */
static inline bool memory_hit(struct memory *memory, unsigned op_memory, uint64_t address, unsigned bytes,
                              uint64_t cycle)
{
    uint64_t line = address >> memory->line_shift;
    const struct memory_recent *recent = &memory->recent[line & memory->l1d.set_mask];
    if (recent->line != line || recent->ready > cycle ||
        (address & memory->line_mask) + bytes > memory->line_mask + 1 ||
        !tlb_hit(&memory->tlb, address >> TLB_PAGE_SHIFT, cycle))
        return false;
    if (op_memory & MEMORY_WRITES)
        *recent->tag |= CACHE_DIRTY;
    memory->counts.l1d_accesses += op_memory < MEMORY_PREFETCHES;
    memory->counts.l1d_loads += op_memory & MEMORY_READS;
    return true;
}

/* The same for the instruction side: the line is the one that was fetched last. */
static inline bool memory_fetch_hit(struct memory *memory, uint64_t address)
{
    if (memory->fetched != (address >> memory->line_shift) + 1)
        return false;
    memory->counts.l1i_accesses++;
    return true;
}

#endif
