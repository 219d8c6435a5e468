/* Small cores and programs for the tests of the pipelines. No cache but L1D is modelled unless a test sets
 * one; a miss there costs KIT_MISS cycles more than a hit. */
#ifndef CYCLELAB_MODEL_KIT_H
#define CYCLELAB_MODEL_KIT_H

#include <criterion/criterion.h>
#include "harness/model/model.h"

enum { KIT_OPS = 512, KIT_MISS = 100, KIT_DATA = 0x100000, KIT_CODE = 0x1000, KIT_FLAGS = 64 };

/* Ports: 0 and 1 for ALU, 2 multiplies and divides, 3 loads, 4 stores, 5 branches, 6 and 7 floating point. */
static inline struct core kit_core(enum core_kind kind)
{
    struct core core = {.name = "kit",
                        .kind = kind,
                        .width = 2,
                        .fetch = 8,
                        .commit = 4,
                        .load_queue = 8,
                        .store_queue = 8,
                        .mispredict = 8,
                        .forward = 5,
                        .forward_pair = 5,
                        .fills = 8,
                        .port_count = 8,
                        .line = 64,
                        .l1d = {4096, 4, 0},
                        .predictor = {.base_bits = 6,
                                      .table_bits = 6,
                                      .tables = 1,
                                      .history = {8},
                                      .return_stack = 4,
                                      .target_bits = 4}};
    if (kind == CORE_OUT_OF_ORDER) {
        core.width = 4;
        core.window = 64;
        core.load_queue = core.store_queue = 32;
    }
    for (unsigned i = 0; i < OP_CLASS_COUNT * 2; i++)
        core.classes[i / 2][i % 2] = (struct core_class){.uops = 1, .latency = 1, .busy = 1};
    for (unsigned wide = 0; wide < 2; wide++) {
        core.classes[OP_ALU][wide].ports = core.classes[OP_ALU_FLAGS][wide].ports = 3;
        core.classes[OP_MUL][wide] = (struct core_class){.uops = 1, .latency = 3, .busy = 1, .ports = 4};
        core.classes[OP_DIV][wide] = (struct core_class){.uops = 1, .latency = 10, .busy = 8, .ports = 4};
        core.classes[OP_LOAD][wide] = (struct core_class){.uops = 1, .latency = 3, .busy = 1, .ports = 8};
        core.classes[OP_STORE][wide].ports = 16;
        core.classes[OP_BRANCH][wide].ports = 32;
        core.classes[OP_FP_FMA][wide] =
            (struct core_class){.uops = 1, .latency = 4, .accumulate = 2, .busy = 1, .ports = 0xc0};
        core.classes[OP_FP_ADD][wide] =
            (struct core_class){.uops = 1, .latency = 4, .busy = 1, .ports = 0xc0};
    }
    core.dram = KIT_MISS + core.classes[OP_LOAD][0].latency;
    return core;
}

struct kit {
    struct core core;
    struct op ops[KIT_OPS];
    uint64_t addresses[KIT_OPS];
    size_t count, accesses;
    struct model *model;
};

static inline struct op *kit_add(struct kit *kit, enum op_class op_class)
{
    cr_assert_lt(kit->count, (size_t)KIT_OPS);
    struct op *op = &kit->ops[kit->count];
    *op = (struct op){.address = KIT_CODE + 4 * kit->count,
                      .op_class = (uint8_t)op_class,
                      .accumulator = OP_NONE,
                      .base_write = OP_NONE};
    kit->count++;
    return op;
}

static inline void kit_reads(struct op *op, unsigned number)
{
    op->reads[op->read_count++] = (uint8_t)number;
}

/* to = from + other */
static inline struct op *kit_op(struct kit *kit, enum op_class op_class, unsigned to, unsigned from,
                                unsigned other)
{
    struct op *op = kit_add(kit, op_class);
    kit_reads(op, from);
    kit_reads(op, other);
    op->writes[op->write_count++] = (uint8_t)to;
    return op;
}

static inline struct op *kit_load(struct kit *kit, unsigned to, unsigned base, uint64_t address,
                                  unsigned bytes)
{
    struct op *op = kit_add(kit, OP_LOAD);
    kit_reads(op, base);
    op->address_reads = 1;
    op->writes[op->write_count++] = (uint8_t)to;
    op->memory = OP_MEMORY_LOAD;
    op->bytes = (uint16_t)bytes;
    kit->addresses[kit->accesses++] = address;
    return op;
}

static inline struct op *kit_store(struct kit *kit, unsigned from, unsigned base, uint64_t address,
                                   unsigned bytes)
{
    struct op *op = kit_add(kit, OP_STORE);
    kit_reads(op, base);
    kit_reads(op, from);
    op->address_reads = 1;
    op->memory = OP_MEMORY_STORE;
    op->bytes = (uint16_t)bytes;
    kit->addresses[kit->accesses++] = address;
    return op;
}

static inline struct op *kit_barrier(struct kit *kit, enum op_order order)
{
    struct op *op = kit_add(kit, OP_BARRIER);
    op->order = (uint8_t)order;
    return op;
}

static inline struct op *kit_branch(struct kit *kit, enum op_branch branch)
{
    struct op *op = kit_add(kit, OP_BRANCH);
    op->branch = (uint8_t)branch;
    return op;
}

static inline void kit_create(struct kit *kit)
{
    struct error err;
    kit->model = model_create(&kit->core, NULL, kit->ops, kit->count, &err);
    cr_assert(kit->model, "%s", err.text);
}

static inline uint64_t kit_count(const struct kit *kit, enum model_event event)
{
    struct model_counts counts;
    model_count(kit->model, &counts);
    return counts.value[event];
}

/* Accounts that have to agree, whatever was run. */
static inline void kit_balance(const struct kit *kit)
{
    struct model_counts counts;
    model_count(kit->model, &counts);
    const uint64_t *value = counts.value;
    const struct model_site *sites = model_sites(kit->model);
    uint64_t cycles = 0, executions = 0, mispredicts = 0, all = 0, slots[5] = {0};
    uint64_t loads = 0, stores = 0, branches = 0;
    for (size_t i = 0; i < kit->count; i++) {
        const struct op *op = &kit->ops[i];
        loads += op->memory & OP_MEMORY_LOAD ? sites[i].executions : 0;
        stores += op->memory & OP_MEMORY_STORE ? sites[i].executions : 0;
        branches += op->branch != OP_NO_BRANCH ? sites[i].executions : 0;
        executions += sites[i].executions;
        mispredicts += sites[i].mispredicts;
        for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++)
            cycles += sites[i].cycles[wait];
        for (unsigned kind = 0; kind < 5; kind++)
            slots[kind] += sites[i].slots[kind];
    }
    cr_expect_eq(cycles, value[MODEL_CYCLES], "cycles: sites %lu, total %lu", (unsigned long)cycles,
                 (unsigned long)value[MODEL_CYCLES]);
    cr_expect_eq(executions, value[MODEL_INSTRUCTIONS]);
    cr_expect_eq(mispredicts, value[MODEL_BRANCH_MISSES]);
    cr_expect(loads == value[MODEL_LOADS] && stores == value[MODEL_STORES] &&
              branches == value[MODEL_BRANCHES]);
    cr_expect_eq(loads + stores, value[MODEL_MEMORY_ACCESSES]);
    cr_expect_eq(slots[0], value[MODEL_UOPS]);
    for (unsigned kind = 0; kind < 5; kind++) {
        cr_expect_eq(slots[kind], value[MODEL_SLOTS_RETIRING + kind], "slots of kind %u", kind);
        cr_expect_lt(slots[kind], UINT64_C(1) << 60, "slots of kind %u below 0", kind);
        all += slots[kind];
    }
    cr_expect_eq(all, kit->core.width * value[MODEL_CYCLES], "slots: %lu, cycles %lu", (unsigned long)all,
                 (unsigned long)value[MODEL_CYCLES]);
}

/* Run all once; cycles in all. */
static inline uint64_t kit_again(struct kit *kit)
{
    model_run(kit->model, 0, (uint32_t)kit->count, kit->addresses, KIT_CODE + 4 * kit->count);
    kit_balance(kit);
    return kit_count(kit, MODEL_CYCLES);
}

static inline uint64_t kit_run(struct kit *kit)
{
    kit_create(kit);
    return kit_again(kit);
}

/* The same with warm caches. */
static inline uint64_t kit_run_warm(struct kit *kit)
{
    kit_run(kit);
    model_forget_counts(kit->model);
    cr_expect_eq(kit_count(kit, MODEL_CYCLES), 0);
    kit_balance(kit);
    return kit_again(kit);
}

static inline void kit_end(struct kit *kit)
{
    model_destroy(kit->model);
    kit->model = NULL;
}

/* cycles == expected, and the end. */
static inline void kit_takes(struct kit *kit, uint64_t expected)
{
    uint64_t cycles = kit_run(kit);
    cr_expect_eq(cycles, expected, "%lu cycles, expected %lu", (unsigned long)cycles,
                 (unsigned long)expected);
    kit_end(kit);
}

static inline void kit_takes_warm(struct kit *kit, uint64_t expected)
{
    uint64_t cycles = kit_run_warm(kit);
    cr_expect_eq(cycles, expected, "%lu cycles, expected %lu", (unsigned long)cycles,
                 (unsigned long)expected);
    kit_end(kit);
}

#endif
