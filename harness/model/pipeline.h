/* What both kinds of pipeline share: the bound instructions, the machine's state, fetch, ports, stores under
 * way, and the accounts. Private to the model.
 *
 * A *time* is a cycle with, in its low bits, the reason why it is no earlier, so that the latest of several
 * times brings its reason along. From bit 0 on: the kind of instruction that gave it (for the forwarding of
 * accumulators), enum model_wait, the weight of that reason (out of order only), the cycle. */
#ifndef CYCLELAB_MODEL_PIPELINE_H
#define CYCLELAB_MODEL_PIPELINE_H

#include "harness/model/core_figures.h"
#include "harness/model/memory_fast.h"
#include "harness/model/model.h"
#include "harness/model/predictor.h"
#include "harness/model/timeline.h"

enum { REASON_SHIFT = 8, WEIGHT_SHIFT = 12, TIME_SHIFT = 18 };
enum { WINDOW_FIRST_SHIFT = WEIGHT_SHIFT }; /* in a window's times: an instruction begins here */
enum { KIND_MASK = 255, KIND_NONE = 255, REASON_MASK = 15, WEIGHT_MOST = 63 };
_Static_assert(OP_CLASS_COUNT * 2 <= KIND_NONE, "a kind has eight bits");
_Static_assert(MODEL_WAIT_COUNT <= REASON_MASK + 1, "a reason has four bits");

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ALWAYS_INLINE       inline __attribute__((always_inline))
#define NEVER_INLINE        __attribute__((noinline))

/* The first cycle: late enough that no allowance reaches below 0. */
enum { FIRST_CYCLE = 1024 };

/* Two registers more: one that is always ready, one that nobody reads. */
enum { REGISTER_READY = OP_REGISTERS, REGISTER_SINK, REGISTER_COUNT };

enum {
    STEP_ORDER = 1,
    STEP_LATE_DATA = 2,
    STEP_LATE_OPERAND = 4,
    STEP_NEAR = 8,
    STEP_ADDRESS = 16, /* in order: `late` is a load's address, which takes its time where it was loaded, */
    STEP_CHASES = 32,  /* but less where it is a base alone, which the access before this one loaded */
};

/* Which code runs an instruction: any; for one micro-operation, one port for a cycle at most, two results at
 * most, no barrier; the same without memory. */
enum shape { SHAPE_ANY, SHAPE_ACCESS, SHAPE_PLAIN };

/* An instruction, bound to the core. */
struct step {
    uint8_t early[OP_READS];   /* needed for it to issue; at least two, filled up with REGISTER_READY */
    uint8_t late[OP_READS];    /* a store's data; accumulators; addresses that may have been loaded */
    uint8_t writes[OP_WRITES]; /* but the base; at least two, filled up with REGISTER_SINK */
    uint8_t base;              /* the base register that it moves on, or REGISTER_SINK */
    uint8_t early_count, late_count, write_count;
    uint8_t shape;                      /* enum shape */
    bool more_reads;                    /* than the first two early ones, before it issues */
    uint8_t uops, port_uses, also_uses; /* slots; of which these go to `ports`; and to `also_ports` */
    uint8_t latency, busy;
    uint8_t quotient, digit, more; /* of a division, where the quotient's bits are told: most bits, those of a
                                      cycle, cycles of the longest beyond `latency` */
    uint8_t allowance;             /* cycles that `late` may be later than `early` */
    uint8_t kind;                  /* its class and width: accumulators are forwarded within one kind */
    uint8_t memory, order, branch, flags;
    uint8_t renames; /* out of order: results in vector registers, where those are limited */
    bool first, serial;
    uint64_t late_operands; /* in order: how much later than the issue they may be, as a time */
    uint16_t bytes, part;   /* of the access; of each register in it */
    uint16_t ports, also_ports, base_ports;
    uint32_t entries; /* out of order: of the issue queues, packed as struct model's room */
    uint64_t own;     /* low bits of its result's time, where nothing but its latency made that late */
};

/* Cycles [from, to) in which a port is taken: where a search does not have to look again. */
struct full {
    uint64_t from, to;
};

enum { BEGIN_SHIFT = 16, CORE_PORTS_MASK = 0xffff }; /* in the calendar */
enum { QUEUE_BITS = 8, QUEUE_MOST = 127 };           /* in a packed number of entries */
enum { QUEUE_GUARDS = 0x808080 };

/* A store under way to the cache. It is found by the 8-byte granules that it touches: `granules` says which
 * store was the last to touch one with that hash, `earlier` which one it took the place of. */
enum { GRANULE_SHIFT = 3, GRANULES = 256, STORE_GRANULES = 9 };

struct store {
    uint64_t address, end;
    uint64_t data;    /* the cycle in which its data is there */
    uint64_t drained; /* the cycle in which it is in the cache */
    uint32_t earlier[STORE_GRANULES];
};

/* Where a pipeline is: what a run keeps at hand. */
struct flow {
    uint64_t front;           /* time of the fetch of the current group */
    unsigned fetch_left;      /* instructions that it has room for */
    unsigned left;            /* slots left in `cycle` */
    uint64_t cycle;           /* of the last issue (in order), of the last dispatch (out of order) */
    uint64_t commit_cycle;    /* out of order */
    unsigned committed;       /* micro-operations in it */
    unsigned dispatch_reason; /* why `cycle` was no earlier */
    uint64_t uops;            /* dispatched since reset */
    uint64_t room;            /* out of order: time of the room that a commit now makes */
    uint64_t complete;        /* in order: time by which the results that take more than a cycle are there */
    uint32_t complete_site;
    uint64_t floor; /* in order: time before which nothing issues, as there is no slot */
};

/* Of a run of instructions, whatever happens to it. */
struct tally {
    uint64_t uops, branches, loads, stores, atomics;
};

struct model {
    struct pool *pool; /* what all that it points to is from */
    struct core core;
    struct flow flow;
    struct memory *memory;
    struct predictor *predictor;
    struct step *steps;
    struct model_site *sites; /* without executions and what follows from them, and without the last cycles */
    size_t count;
    uint64_t start;        /* address of instruction 0 */
    uint64_t fetched;      /* line fetched last, + 1 */
    uint64_t fetch_block;  /* bytes of the aligned block that a group does not leave */
    unsigned fetch_lead;   /* cycles that fetch may be ahead of dispatch */
    unsigned commit_width; /* of core.commit, what counts */
    uint32_t front_site;   /* of the last mispredicted branch */
    uint32_t order_site;   /* of the last barrier */
    uint64_t observed;     /* cycle in which the last instruction was executed */

    uint64_t registers[REGISTER_COUNT]; /* times */
    uint64_t loaded;                    /* in order: the last access's result, if it was a load that hit */

    uint32_t near[CORE_MOST_NEAR]; /* sites of the taken branches in the small buffer of targets, marked
                                      STEP_NEAR */
    uint64_t near_count;           /* that have entered it */

    /* ports, in order: the cycle from which on each is free */
    uint64_t port_free[CORE_PORTS];

    /* ports, out of order */
    uint32_t
        *calendar; /* bit p of calendar[cycle & calendar_mask]: port p is taken; bit 16 + p: from then on */
    uint64_t calendar_mask;

    /* issue queues, out of order: packed, QUEUE_BITS each, the upper one of them set where there is room */
    uint32_t room, empty_room;  /* entries that are free; all of them */
    uint32_t entry[CORE_PORTS]; /* one of the queue in front of a port */
    uint16_t work[CORE_PORTS];  /* cycles for which each port is taken from now on */
    unsigned work_count;        /* their sum */
    struct full port_full[CORE_PORTS];

    /* what is in flight */
    uint64_t *window; /* of each micro-operation, the time of its room: the cycle after its commit */
    uint64_t window_mask;
    uint64_t *load_queue; /* time from which on a load's entry is free */
    uint64_t loads, load_mask;
    uint64_t *renamed; /* the same of a result in a vector register */
    uint64_t renames, renamed_mask;
    struct store *store_queue;
    uint64_t stores, store_mask;
    uint64_t drained;         /* the cycle in which the last store is in the cache */
    uint64_t memory_complete; /* cycle by which all accesses are over */
    uint64_t memory_floor;    /* cycle before which none may start */
    uint32_t granules[GRANULES];

    /* counts */
    uint64_t base;         /* cycle in which counting began, and what was waited since */
    uint64_t waited;       /* for another core */
    uint64_t begun;        /* cycle in which the pipeline was last empty, with nothing under way; */
    uint64_t begun_with;   /* `instructions` then */
    uint64_t instructions; /* since then */
    uint64_t *starts;      /* how often runs of instructions began here, less how often they ended before */
    struct tally *tallies; /* of the code before each instruction, and before its end */
    struct tally executed; /* since counting began */
    uint64_t slots[5];     /* of all sites; so that a program can read counters often */
    uint64_t mispredicts;
    uint32_t last_site;
    struct model_site *view; /* the sites, complete: what model_sites() shows */

    timeline_report *report; /* NULL: nobody looks */
    void *report_context;
};

void in_order_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses);
void out_of_order_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses);

/* model_run() in parts: the pipeline and the counts of executions; where the last one's branch went. */
void model_execute(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses);
void model_branch(struct model *model, uint32_t site, uint64_t next);

/* The cycle after the last one, in which all is complete. */
uint64_t model_end(const struct model *model);

/* timeline.c: model_run() while somebody looks. */
void timeline_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses,
                  uint64_t next);

/* bind.c: ops to steps; ports are renumbered, so that those which fewer classes use come first. */
bool pipeline_bind(struct model *model, const struct op *ops, struct error *err);

static ALWAYS_INLINE uint64_t time_of(uint64_t cycle, unsigned reason)
{
    return cycle << TIME_SHIFT | reason << REASON_SHIFT | KIND_NONE;
}

static ALWAYS_INLINE uint64_t cycle_of(uint64_t time)
{
    return time >> TIME_SHIFT;
}

static ALWAYS_INLINE unsigned reason_of(uint64_t time)
{
    return (unsigned)(time >> REASON_SHIFT) & REASON_MASK;
}

static ALWAYS_INLINE uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- accounts ---- */

/* Indices of struct model_site's slots. */
enum {
    SLOTS_RETIRING,
    SLOTS_BAD_SPECULATION,
    SLOTS_FRONTEND,
    SLOTS_BACKEND_CORE,
    SLOTS_BACKEND_MEMORY,
    SLOTS_COUNT
};

static ALWAYS_INLINE unsigned slots_of(unsigned reason)
{
    if (reason == MODEL_WAIT_MISPREDICT)
        return SLOTS_BAD_SPECULATION;
    if (reason == MODEL_WAIT_FETCH)
        return SLOTS_FRONTEND;
    return SLOTS_BACKEND_CORE + (reason - MODEL_WAIT_LOAD <= MODEL_WAIT_STORE - MODEL_WAIT_LOAD);
}

static ALWAYS_INLINE uint32_t site_of(const struct model *model, const struct step *step)
{
    return (uint32_t)(step - model->steps);
}

static ALWAYS_INLINE void charge_slots(struct model *model, uint32_t site, unsigned kind, uint64_t slots)
{
    model->sites[site].slots[kind] += slots;
    model->slots[kind] += slots;
}

/* Cycles and slots that went by without work, to the account of the one that held the others up. */
static ALWAYS_INLINE void charge(struct model *model, uint32_t site, unsigned reason, uint64_t cycles,
                                 uint64_t slots)
{
    if (reason == MODEL_WAIT_MISPREDICT)
        site = model->front_site;
    else if (reason == MODEL_WAIT_ORDER)
        site = model->order_site;
    model->sites[site].cycles[reason] += cycles;
    charge_slots(model, site, slots_of(reason), slots);
}

/* ---- fetch ---- */

/* Fetch begins anew in `cycle`. */
static ALWAYS_INLINE void fetch_restart(const struct model *model, struct flow *flow, uint64_t cycle,
                                        enum model_wait reason)
{
    if (cycle < cycle_of(flow->front))
        return;
    flow->front = time_of(cycle, reason);
    flow->fetch_left = model->core.fetch;
}

/* A line that was not fetched last; the time at which it is there. */
uint64_t fetch_line(struct model *model, uint64_t address, uint64_t front);

static ALWAYS_INLINE bool same_line(const struct model *model, uint64_t address)
{
    return model->fetched == (address >> model->memory->line_shift) + 1;
}

/* Fetch at least one instruction: to the end of what the group, its block and the line have of those up to
 * `end`, which comes back. */
static ALWAYS_INLINE const struct step *fetch(struct model *model, struct flow *flow, const struct step *step,
                                              const struct step *end)
{
    if (flow->fetch_left == 0) {
        uint64_t next = cycle_of(flow->front) + 1;
        flow->front = time_of(later(next, flow->cycle - model->fetch_lead), MODEL_WAIT_FETCH);
        flow->fetch_left = model->core.fetch;
    }
    uint64_t address = model->start + (uint64_t)(step - model->steps) * 4;
    if (UNLIKELY(!same_line(model, address)))
        flow->front = fetch_line(model, address, flow->front);
    uint64_t count = (uint64_t)(end - step);
    uint64_t in_line = (((address >> model->memory->line_shift) + 1) << model->memory->line_shift) - address;
    count = count < in_line / 4 ? count : in_line / 4;
    count = count < flow->fetch_left ? count : flow->fetch_left;
    uint64_t in_block = (model->fetch_block - (address & (model->fetch_block - 1))) / 4;
    flow->fetch_left = count < in_block ? flow->fetch_left - (unsigned)count : 0;
    count = count < in_block ? count : in_block;
    return step + count;
}

/* ---- ports ---- */

void calendar_clear(struct model *model, uint64_t from, uint64_t to);

/* Cycles [from, to), one at least, are over. */
static ALWAYS_INLINE void calendar_pass(struct model *model, uint64_t from, uint64_t to)
{
    model->calendar[from & model->calendar_mask] = 0;
    if (UNLIKELY(to - from > 1))
        calendar_clear(model, from + 1, to);
}

/* ---- divisions ---- */

/* Cycles beyond its least latency for a quotient of so many bits. */
static ALWAYS_INLINE unsigned quotient_extra(const struct step *step, uint64_t bits)
{
    if (bits == 0 || step->digit == 0 || bits > step->quotient)
        return bits > step->quotient ? step->more : 0;
    unsigned saved = (step->quotient - (unsigned)bits) / step->digit;
    return step->more > saved ? step->more - saved : 0;
}

/* ---- accesses ---- */

/* One that crosses a line goes through its pipe twice: cycles for which it keeps its port besides. */
static ALWAYS_INLINE unsigned second_turn(const struct model *model, const struct step *step,
                                          const uint64_t *address)
{
    const uint64_t mask = model->memory->line_mask;
    return step->memory != OP_NO_MEMORY && (*address & mask) + step->bytes > mask + 1;
}

/* ---- stores under way ---- */

/* When an access in `cycle` has what stores under way have of its bytes: each part of it from the last store
 * that has some of it, so from several perhaps. A part of which that store has some bytes only waits until it
 * is in the cache, and so all before it. `store` is the last that has any of the bytes; in *all: whether it
 * has all of them. */
uint64_t store_gives(const struct model *model, const struct step *step, const struct store *store,
                     uint64_t address, uint64_t cycle, bool *all);

static ALWAYS_INLINE unsigned granule_hash(uint64_t granule)
{
    return (unsigned)(granule ^ granule >> 8) % GRANULES;
}

/* A store exclusive looks at what is there: it may fail, and leave that. So its data, and its result, are no
 * earlier than the data of the stores before it, which this gives; or 0. */
uint64_t exclusive_data(const struct model *model, const struct step *step, uint64_t address, uint64_t issue);

/* A store is known to those after it. */
static ALWAYS_INLINE void store_enter(struct model *model, uint64_t address, unsigned bytes, uint64_t data,
                                      uint64_t drained)
{
    uint32_t number = (uint32_t)model->stores;
    struct store *store = &model->store_queue[number & model->store_mask];
    store->address = address;
    store->end = address + bytes;
    store->data = data;
    store->drained = drained;
    uint64_t granule = address >> GRANULE_SHIFT;
    uint64_t last = (store->end - 1) >> GRANULE_SHIFT;
    for (unsigned i = 0; granule <= last && i < STORE_GRANULES; granule++, i++) {
        uint32_t *entry = &model->granules[granule_hash(granule)];
        store->earlier[i] = *entry;
        *entry = number;
    }
    model->stores++;
}

/* The last store that has any of these bytes and is not in the cache by `cycle`; NULL: there is none. Most
 * loads find that with a look at the last store to their granule. */
const struct store *store_search(const struct model *model, uint64_t address, unsigned bytes, uint64_t cycle);

static ALWAYS_INLINE const struct store *store_find(const struct model *model, uint64_t address,
                                                    unsigned bytes, uint64_t cycle)
{
    if (model->drained <= cycle)
        return NULL;
    uint64_t granule = address >> GRANULE_SHIFT;
    uint32_t number = model->granules[granule_hash(granule)];
    if ((address + bytes - 1) >> GRANULE_SHIFT == granule &&
        model->store_queue[number & model->store_mask].drained <= cycle)
        return NULL;
    return store_search(model, address, bytes, cycle);
}

/* ---- memory ---- */

/* The same for what is not a hit. */
uint64_t data_miss(struct model *model, const struct step *step, uint32_t site, uint64_t address,
                   uint64_t cycle, unsigned *reason);

/* The time of an operand of the list `late`, less what it may come later than the others. */
static inline uint64_t late_operand(const struct model *model, const struct step *step, unsigned number)
{
    const uint64_t time = model->registers[number];
    const unsigned producer = (time & KIND_MASK) / 2;
    if (step->flags & STEP_ADDRESS) {
        if (!op_gives_address(producer))
            return time;
        const bool chases = time == model->loaded && step->flags & STEP_CHASES;
        return chases ? time - ((uint64_t)model->core.load_chase << TIME_SHIFT)
                      : time + ((uint64_t)model->core.load_address << TIME_SHIFT);
    }
    const bool in_time = step->memory == OP_MEMORY_STORE || step->flags & STEP_LATE_OPERAND ||
                         (time & KIND_MASK) == step->kind;
    return time - ((uint64_t)(in_time ? step->allowance : 0) << TIME_SHIFT);
}

/* Cycles beyond a hit, and in *reason where they come from. */
static ALWAYS_INLINE uint64_t data_access(struct model *model, const struct step *step, uint32_t site,
                                          uint64_t address, uint64_t cycle, unsigned *reason)
{
    *reason = MODEL_WAIT_LOAD;
    if (LIKELY(memory_hit(model->memory, step->memory, address, step->bytes, cycle)))
        return 0;
    return data_miss(model, step, site, address, cycle, reason);
}

#endif
