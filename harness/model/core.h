/* A core, as one page of YAML describes it (cores/NAME.yml): what the model is built from. Integers only. */
#ifndef CYCLELAB_MODEL_CORE_H
#define CYCLELAB_MODEL_CORE_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/model/op.h"

enum { CORE_PORTS = 16, CORE_NAME = 32 };

enum core_kind { CORE_IN_ORDER, CORE_OUT_OF_ORDER };

/* Issue queues, out of order: where a micro-operation waits for its operands and its port. */
enum core_queue { CORE_NO_QUEUE, CORE_INTEGER_QUEUE, CORE_MEMORY_QUEUE, CORE_VECTOR_QUEUE, CORE_QUEUES };

/* Of an instruction class, on 64 bits or less, and on 128. */
struct core_class {
    uint8_t uops; /* micro-operations: slots of the width and ports that it takes; 0 is none (fused away) */
    bool each;    /* so many for each register that it moves */
    uint8_t more_slots; /* of the width, besides */
    uint8_t latency;    /* cycles from its issue to that of one which needs its result */
    uint8_t
        accumulate; /* the same, from a result of this class to the accumulator of the next one; 0: latency */
    uint8_t busy;   /* cycles for which a micro-operation keeps its port */
    uint8_t most;   /* of a division: latency of the longest quotient, its port being kept for longer, too; */
    uint8_t digit;  /* a shorter one saves a cycle for so many bits, down to `latency`. 0: all alike */
    bool first;     /* in order: only as the first of its cycle */
    bool serial;    /* in order: nothing issues before its result is there */
    uint8_t late;   /* in order: cycles after its issue in which its operands may still come, its result being
                       as late then; with a shifted operand, the other one alone */
    uint16_t ports; /* bit p: a micro-operation may go to port p; 0: needs none */
    uint16_t also_ports; /* besides, the instruction takes one of these for `busy` cycles, without a slot of
                            its own (the addition of an indexed address; of a store one for a cycle, when its
                            data is there); 0: none */
};

struct core_cache {
    uint32_t bytes; /* 0: there is none */
    uint16_t ways;
    uint16_t latency; /* load to use, for a hit here; 0 for the L1 caches: part of the class */
};

struct core {
    char name[CORE_NAME];
    char title[64];
    enum core_kind kind;
    uint16_t features;    /* extensions of the instruction set: enum decode_feature bits */
    uint8_t width;        /* micro-operations dispatched (in order: issued) in a cycle */
    uint8_t fetch;        /* instructions fetched in a cycle; those without micro-operations, too */
    uint8_t fetch_block;  /* a group ends where an aligned block of so many bytes does; 0: anywhere */
    uint8_t fetch_queue;  /* instructions fetched ahead of dispatch; 0: fetched when dispatched */
    uint8_t taken_bubble; /* cycles without fetch after a taken branch, which ends its group; 0: the target is
                             fetched in the next cycle */
    uint8_t near_targets; /* taken branches in a small buffer of targets, the oldest one leaving it first:
                             those have no bubble */
    uint8_t commit;       /* micro-operations committed in a cycle; more than `width` counts as `width` */
    uint16_t window;      /* micro-operations in flight; out of order only */
    uint8_t queue[CORE_QUEUES]; /* entries of each issue queue: micro-operations dispatched and not issued;
                                   out of order only */
    uint16_t vector_registers;  /* results in vector registers that are in flight: those that renaming has
                                   besides the program's own, of 64 bits with `halves`; 0: no limit; out
                                   of order only */
    uint16_t load_queue, store_queue; /* in flight; store_queue is the store buffer of a core in order */
    uint8_t mispredict;   /* cycles from the branch's issue to the next dispatch (in order: issue) */
    uint8_t forward;      /* cycles from a store's data to a load that takes it, store-to-load forwarding */
    uint8_t forward_part; /* the same at the least where the store has some of a register's bytes only, which
                             waits until the store is in the cache */
    uint8_t forward_pair; /* of a pair, where a store has one register and not the other */
    uint8_t load_address; /* in order: cycles more until a load has an address that was loaded; ... */
    uint8_t load_chase;   /* ... and less, where it is the base of the very next access */
    uint8_t store_data;   /* in order: cycles after its issue in which a store needs its data */
    uint8_t halves;       /* out of order: vector registers are renamed in halves of 64 bits */
    uint8_t base_uops;    /* slots that writing a base register back takes besides */
    uint16_t base_ports;  /* and the ports of that addition, for a cycle; 0: none */
    uint8_t fills;        /* outstanding L1D misses */
    uint8_t port_count;
    char port_name[CORE_PORTS][8];
    uint8_t port_queue[CORE_PORTS];               /* enum core_queue: the one in front of it */
    struct core_class classes[OP_CLASS_COUNT][2]; /* [.][1]: on 128 bits */
    uint16_t line;                                /* bytes of a cache line, in all caches */
    struct core_cache l1i, l1d, l2, llc;
    uint16_t dram;     /* cycles, load to use */
    uint16_t transfer; /* cycles, load to use, of a line that another core's L1D has modified */
    uint8_t dram_busy; /* cycles between two lines from memory: its bandwidth */
    uint8_t l2_busy;   /* the same of lines that L2 has; 0: no limit */
    struct {
        uint8_t streams;  /* 0: no prefetcher */
        uint8_t distance; /* lines ahead */
        uint8_t degree;   /* lines asked for at a time */
    } prefetcher;
    struct {
        uint16_t entries, second_entries; /* L1 data TLB (fully associative), L2 TLB */
        uint8_t second_ways;
        uint8_t second_latency; /* extra cycles */
        uint16_t walk;          /* extra cycles for a walk */
    } tlb;
    struct {
        uint8_t base_bits, table_bits; /* log2 of entries: bimodal table, each tagged table */
        uint8_t tables;
        uint8_t history[8]; /* branches, per tagged table, rising */
        uint8_t return_stack;
        uint8_t target_bits; /* log2 of entries for indirect targets */
    } predictor;
};

/* What of a core does not do: its key in a core's file, "pipeline.width.is"; of a class of instructions
 * "latency", and which one it is. */
struct core_fault {
    const char *key;
    bool in_class;
    unsigned op_class, wide;
};

/* Does the model take such a core? If not, err is what was expected and what was found there. The parts are
 * what each part of the model asks for. */
typedef bool core_check_fn(const struct core *core, struct core_fault *fault, struct error *err);
core_check_fn core_check, core_check_pipeline, core_check_memory, core_check_predictor;

/* Is it refused by this check? Then err has all of it in one text. */
bool core_refused(const struct core *core, core_check_fn *check, struct error *err);

/* Micro-operations that go to the ports of its class. */
unsigned core_port_uses(const struct core *core, const struct op *op);

/* Those that go to its `also_ports`, for `busy` cycles; a store's for one each, when its data is there. */
unsigned core_also_uses(const struct core *core, const struct op *op);

/* Slots of the width that it takes; but for a base register that it moves on. In order, the registers that it
 * moves take their turns at the port, and one slot. */
unsigned core_slots(const struct core *core, const struct op *op);

/* Accumulators are forwarded within one kind: a class and its width, below OP_CLASS_COUNT * 2. */
unsigned core_kind(const struct core *core, const struct op *op);

/* Is the first operand, which is not the shifted one, allowed to be late? */
bool core_first_is_late(const struct core *core, const struct op *op);

/* What load_address and load_chase were measured of: plain loads of one register. */
static inline bool op_gives_address(unsigned op_class)
{
    return op_class == OP_LOAD || op_class == OP_LOAD_INDEXED;
}

/* A load in order whose address takes other cycles where it was loaded (load_address, load_chase). */
bool core_address_is_late(const struct core *core, const struct op *op);

/* Where registers are renamed in halves: the operands (bit i: reads[i]) of which it keeps the other half, so
 * that it does not wait for them, though who reads its result does. */
unsigned core_kept_half(const struct core *core, const struct op *op);

/* From the issue of `producer` to that of `consumer`, which reads its result as number `read`, at the least;
 * `consecutive`: no other access to memory is between them. */
unsigned core_latency(const struct core *core, const struct op *producer, const struct op *consumer,
                      unsigned read, bool consecutive);

#endif
