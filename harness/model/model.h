/* The core model: executed instructions in, cycles and counters out. It knows no ISA, no clock, no emulator
 * and no floating point; the same instructions give the same counts on every host.
 *
 * It is driven by what was executed (not by what was fetched on a wrong path): an instruction-driven timing
 * model in the manner of Karkhanis and Smith (ISCA 2004) and Sniper. docs/model.md describes it. */
#ifndef CYCLELAB_MODEL_H
#define CYCLELAB_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/model/core.h"
#include "harness/model/op.h"

/* Event counters. The first ones are those of the architecture's list 0x00-0x17 that a data-side model has.
 */
#define MODEL_EVENTS(X)                                                                                      \
    X(CYCLES, "cycles")                                                                                      \
    X(INSTRUCTIONS, "instructions")                                                                          \
    X(UOPS, "uops")                                                                                          \
    X(BRANCHES, "branches")                                                                                  \
    X(BRANCH_MISSES, "branch-misses")                                                                        \
    X(LOADS, "loads") /* instructions that load */                                                           \
    X(STORES, "stores")                                                                                      \
    X(ATOMICS, "atomics") /* atomic instructions, and stores exclusive */                                    \
    X(MEMORY_ACCESSES, "memory-accesses")                                                                    \
    X(L1I_ACCESSES, "l1i-accesses")                                                                          \
    X(L1I_MISSES, "l1i-misses")                                                                              \
    X(L1D_ACCESSES, "l1d-accesses")                                                                          \
    X(L1D_MISSES, "l1d-misses") /* lines brought in on demand, by loads and stores */                        \
    X(L1D_LOADS, "l1d-loads")                                                                                \
    X(L1D_LOAD_MISSES, "l1d-load-misses") /* loads that did not find their line there, or on its way */      \
    X(L1D_WRITE_BACKS, "l1d-write-backs")                                                                    \
    X(L1D_TLB_MISSES, "l1d-tlb-misses")                                                                      \
    X(L2_ACCESSES, "l2-accesses")                                                                            \
    X(L2_MISSES, "l2-misses")                                                                                \
    X(LLC_LOADS, "llc-loads")                                                                                \
    X(LLC_LOAD_MISSES, "llc-load-misses")                                                                    \
    X(PREFETCHES, "prefetches")         /* lines that the hardware prefetcher asked for */                   \
    X(LINE_TRANSFERS, "line-transfers") /* from the other core's L1D, which had written to them */           \
    X(INVALIDATIONS, "invalidations")   /* lines that it gave up, since they were written here */            \
    X(SLOTS_RETIRING, "slots-retiring") /* dispatch slots, width x cycles in all, split top-down */          \
    X(SLOTS_BAD_SPECULATION, "slots-bad-speculation")                                                        \
    X(SLOTS_FRONTEND, "slots-frontend")                                                                      \
    X(SLOTS_BACKEND_CORE, "slots-backend-core")                                                              \
    X(SLOTS_BACKEND_MEMORY, "slots-backend-memory")

enum model_event {
#define MODEL_EVENT_ENUM(name, text) MODEL_##name,
    MODEL_EVENTS(MODEL_EVENT_ENUM)
#undef MODEL_EVENT_ENUM
        MODEL_EVENT_COUNT
};

const char *model_event_name(enum model_event event);

/* The event of this name; MODEL_EVENT_COUNT where there is none. */
enum model_event model_event_find(const char *name);

struct model_counts {
    uint64_t value[MODEL_EVENT_COUNT];
};

/* What an instruction waited for, in cycles that it held up those behind it. */
#define MODEL_WAITS(X)                                                                                       \
    X(OPERAND, "operand") /* the result of an earlier instruction that is no load */                         \
    X(LOAD, "load")       /* the result of a load that hit the first-level cache */                          \
    X(L2, "l2")                                                                                              \
    X(LLC, "llc")                                                                                            \
    X(MEMORY, "memory")    /* of one that had to go further: how far */                                      \
    X(OTHER, "other-core") /* a line of the other core's L1D */                                              \
    X(TLB, "tlb")                                                                                            \
    X(STORE, "store")   /* store queue or forwarding */                                                      \
    X(PORT, "port")     /* all its ports are taken */                                                        \
    X(QUEUE, "queue")   /* no entry in the issue queue */                                                    \
    X(WINDOW, "window") /* no room in the window, a queue or the registers: charged to what blocks it */     \
    X(MISPREDICT, "mispredict")                                                                              \
    X(FETCH, "fetch") /* taken branches, instruction cache */                                                \
    X(ORDER, "order") /* barriers */                                                                         \
    X(WIDTH, "width") /* nothing: it took its own slot */

enum model_wait {
#define MODEL_WAIT_ENUM(name, text) MODEL_WAIT_##name,
    MODEL_WAITS(MODEL_WAIT_ENUM)
#undef MODEL_WAIT_ENUM
        MODEL_WAIT_COUNT
};

const char *model_wait_name(enum model_wait wait);

/* Of one instruction of the code. The cycles of all sites add up to MODEL_CYCLES, and each slots-* event over
 * all sites to its total. */
struct model_site {
    uint64_t executions;
    uint64_t cycles[MODEL_WAIT_COUNT];
    uint64_t slots[5];  /* in the order of the slots-* events */
    uint64_t misses[5]; /* loads and stores served by: L1D, L2, LLC, memory, the other core */
    uint64_t mispredicts;
};

struct model;

/* A model of `core` for the code ops[0..count-1], instruction i at ops[i].address, in ascending order: four
 * bytes each, without gaps. Both are copied. NULL with err where memory is short or the core makes no sense.
 *
 * `first`, if not NULL: a core of the same kind, for the same code, that this one is beside as a second, each
 * with an L1D that is kept coherent with the other's (memory.h). `first` is destroyed last, and not used
 * between. */
struct model *model_create(const struct core *core, struct model *first, const struct op *ops, size_t count,
                           struct error *err);
void model_destroy(struct model *model);

/* Both cores wait until both have completed all, their stores too. That is no time of their own:
 * MODEL_CYCLES leaves it out. */
void model_meet(struct model *model, struct model *other);

/* Cycles of waiting in model_meet(), since counting began. */
uint64_t model_waited(const struct model *model);

/* Where it is: the cycle of the last issue or commit. Which of two cores is behind? */
uint64_t model_now(const struct model *model);

/* `count` instructions from number `first` on were executed, in their order; only the last may be a branch.
 * addresses: that of each memory access, one an instruction with memory other than OP_NO_MEMORY, in order;
 * among them, in its place, the length in bits of each quotient (struct op).
 * next: the address of the instruction that is executed after them. */
void model_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses, uint64_t next);

/* A run that accesses `address` will come soon. Changes nothing but how long it takes the host. */
void model_hint(const struct model *model, uint64_t address);

/* Counts so far; MODEL_CYCLES is the cycle by which all is complete (stores may be on their way to the
 * cache). What the last cycles belong to is settled by what comes: slots-* may move between kinds with the
 * next run. */
void model_count(const struct model *model, struct model_counts *counts);

/* The same as the last instruction that model_run was given sees it, if it reads a counter: at the cycle in
 * which it was executed, which may be before earlier ones are complete. MODEL_CYCLES is that cycle, and
 * MODEL_INSTRUCTIONS those that are committed by then; other events are counted in the order of the program.
 */
uint64_t model_observe(const struct model *model, enum model_event event);

/* One an instruction of the code. */
const struct model_site *model_sites(const struct model *model);

/* Counters and sites to 0 while caches and predictors stay warm: what follows is measured. The pipeline is
 * empty then, as if all had been waited for; stores may still be on their way to the cache. */
void model_forget_counts(struct model *model);

#endif
