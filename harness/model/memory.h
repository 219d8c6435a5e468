/* The memory side of the model: L1D, L2, LLC, DRAM, data TLB, stride prefetcher, outstanding misses; and the
 * L1I. memory_fast.h has the access that hits, inline.
 *
 * Caches (cache.h) are set-associative with true LRU, write-back and write-allocate. A line that is read
 * comes into every level above the one that had it; levels evict on their own (neither inclusive nor
 * exclusive). A dirty line that is evicted is marked dirty in the next level that has it, where that is no
 * use of it, or goes to memory. So misses are what cachegrind counts for the same addresses
 * (ci/tests/cachegrind.sh).
 *
 * A miss in L1D takes one of the core's fills from its request until its line is there; with none free it
 * waits for the first that is. Accesses to a line on its way wait for the rest of it, without a fill of their
 * own. Lines from L2 and lines from memory follow each other by a channel's time (channel.h), write-backs to
 * memory among them; these hold up nobody else. Cycles need not rise from access to access: what is asked for
 * later in program order but earlier in time is not held up by what, at that time, had not been asked for
 * yet. Contents change in program order.
 *
 * The prefetcher (prefetcher.h) brings lines into L1D and all levels, out of the same bandwidth, with buffers
 * of its own instead of fills. Translation (tlb.h) comes before L1D. Instructions are fetched without a TLB
 * or a prefetcher; L2 and LLC are shared with data.
 *
 * A line that leaves L1D before it has arrived there is found below no earlier than it arrives.
 *
 * Two cores have L1D, L1I, TLB and prefetcher each, and all below together. Their L1Ds
 * keep each other right by MESI: a line is modified, exclusive or shared there, or not there. What an access
 * asks of the other core, and what that does, is a table in memory.c. An answer takes the core's
 * `transfer`, from when the other core has got the line itself; so a line that both write goes to and fro one
 * time after the other. Lines that both read cost nothing more. The prefetcher leaves out lines that the
 * other L1D has. */
#ifndef CYCLELAB_MODEL_MEMORY_H
#define CYCLELAB_MODEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/base/pool.h"
#include "harness/model/core.h"

enum memory_level { MEMORY_L1, MEMORY_L2, MEMORY_LLC, MEMORY_DRAM, MEMORY_OTHER /* core */, MEMORY_LEVELS };

/* As the architecture's PMU events where there is one. Lines of L1D that are asked for by software prefetch
 * count in l2_accesses and l2_misses, and in l1d_tlb_misses, but neither in l1d_... nor in prefetches. */
struct memory_counts {
    /* Loads and stores, updates as loads, those across a line twice; misses are to lines neither there nor on
     * their way. */
    uint64_t l1d_accesses, l1d_misses, l1d_loads, l1d_load_misses, l1d_write_backs;
    uint64_t l1d_tlb_misses;  /* of the first level */
    uint64_t l2_accesses;     /* whatever misses L1D or L1I or is prefetched, and write-backs of L1D */
    uint64_t l2_misses;       /* of these, without write-backs */
    uint64_t llc_loads;       /* loads only, no prefetches; without an LLC they are counted at L2 */
    uint64_t llc_load_misses; /* loads from memory */
    uint64_t l1i_accesses;    /* calls of memory_fetch() */
    uint64_t l1i_misses;
    uint64_t prefetches;     /* lines that the prefetcher asked for, since L1D had them not */
    uint64_t line_transfers; /* lines that came from the other core's L1D, which had written to them */
    uint64_t invalidations;  /* lines that the other core's L1D gave up, since this one wrote to them */
};

/* What an access costs beyond a hit in L1 (which is part of the instruction's latency: from the core's
 * latencies that of OP_LOAD is taken off). */
struct memory_access {
    uint64_t extra;          /* cycles; 0 for a hit in L1 */
    enum memory_level level; /* where the line was, or was on its way from */
    bool tlb_missed;
    uint16_t tlb_extra; /* cycles of `extra` that are the translation's */
};

struct memory;

/* From the pool; beside `first`, if not NULL, for a second core of the same kind: `first` has none yet, and
 * is not used once the pool of the second is free. NULL with err where sizes make no sense: sets have to be
 * powers of two, ways 1 to 16. L2, LLC, L1I, TLB and prefetcher may be missing (0). */
struct memory *memory_create(const struct core *core, struct memory *first, struct pool **pool,
                             struct error *err);

/* A load, store or software prefetch (op.h: enum op_memory) of `bytes` at `address` by the instruction at
 * `pc` that reaches the cache in `cycle`. Cycles may come out of order by a reorder window. Accesses that
 * cross a line make two, the second a cycle later. A software prefetch takes translation and fill like a
 * load, but its `extra` is only the time until a fill is free: that it blocks whatever issued it, as a load
 * would. */
struct memory_access memory_data(struct memory *memory, unsigned op_memory, uint64_t pc, uint64_t address,
                                 unsigned bytes, uint64_t cycle);

/* An access to `address` will come soon. Changes nothing but how long it takes the host. */
void memory_hint(const struct memory *memory, uint64_t address);

/* The line at `address` is fetched for execution: cycles beyond a hit in L1I. */
uint64_t memory_fetch(struct memory *memory, uint64_t address, uint64_t cycle);

const struct memory_counts *memory_counts(const struct memory *memory);
void memory_forget_counts(struct memory *memory);

#endif
