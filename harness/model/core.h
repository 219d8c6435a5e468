/* A core, as one page of YAML describes it (cores/NAME.yml): what the model is built from. Integers only. */
#ifndef CYCLELAB_MODEL_CORE_H
#define CYCLELAB_MODEL_CORE_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/model/op.h"

enum { CORE_PORTS = 16, CORE_NAME = 32 };

enum core_kind { CORE_IN_ORDER, CORE_OUT_OF_ORDER };

/* Of an instruction class, on 64 bits or less, and on 128. */
struct core_class {
    uint8_t uops;    /* micro-operations: slots of the width that it takes; 0 is none (fused away) */
    uint8_t latency; /* cycles from its issue to that of one which needs its result */
    uint8_t
        accumulate; /* the same, from a result of this class to the accumulator of the next one; 0: latency */
    uint8_t busy;   /* cycles for which a micro-operation keeps its port */
    bool alone;     /* in order: nothing else issues in its cycle */
    uint16_t ports; /* bit p: a micro-operation may go to port p; 0: needs none */
    uint16_t also_ports; /* besides, the instruction takes one of these for `busy` cycles, without a slot of
                            its own (a store's data, the addition of an indexed address); 0: none */
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
    uint8_t features;     /* extensions of the instruction set: enum decode_feature bits */
    uint8_t width;        /* micro-operations dispatched (in order: issued) in a cycle */
    uint8_t fetch;        /* instructions fetched in a cycle; those without micro-operations, too */
    uint8_t fetch_queue;  /* instructions fetched ahead of dispatch; 0: fetched when dispatched */
    uint8_t taken_bubble; /* cycles without fetch after a taken branch, which ends its group; 0: the target is
                             fetched in the next cycle */
    uint8_t commit;       /* micro-operations committed in a cycle; more than `width` counts as `width` */
    uint16_t window;      /* micro-operations in flight; out of order only */
    uint16_t load_queue, store_queue; /* in flight; store_queue is the store buffer of a core in order */
    uint8_t mispredict;  /* cycles from the branch's issue to the next dispatch (in order: issue) */
    uint8_t forward;     /* cycles from a store's data to a load that takes it, store-to-load forwarding */
    uint8_t store_data;  /* in order: cycles after its issue in which a store needs its data */
    uint8_t base_uops;   /* slots that writing a base register back takes besides */
    uint16_t base_ports; /* and the ports of that addition, for a cycle; 0: none */
    uint8_t fills;       /* outstanding L1D misses */
    uint8_t port_count;
    char port_name[CORE_PORTS][8];
    struct core_class classes[OP_CLASS_COUNT][2]; /* [.][1]: on 128 bits */
    uint16_t line;                                /* bytes of a cache line, in all caches */
    struct core_cache l1i, l1d, l2, llc;
    uint16_t dram;     /* cycles, load to use */
    uint8_t dram_busy; /* cycles between two lines from memory: its bandwidth */
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

#endif
