/* Runs by records against the same runs by the pipelines themselves: nothing may differ. */
#include <stdlib.h>
#include "harness/model/pipeline.h"
#include "harness/model/recall.h"
#include "harness/model/tests/model_kit.h"
#include "harness/rng.h"

enum { BLOCKS = 50, BLOCK_OPS = 10, REGISTERS = 12, ROUNDS = 6000, PAGES = 24 };

struct pair {
    struct kit kit;
    struct model *plain; /* the same program, without records */
    struct rng rng;
};

static void add_random(struct kit *kit, struct rng *rng)
{
    static const enum op_class classes[] = {OP_ALU, OP_ALU,    OP_ALU_FLAGS, OP_MUL,
                                            OP_DIV, OP_FP_FMA, OP_FP_ADD};
    unsigned kind = (unsigned)rng_below(rng, 5);
    unsigned to = (unsigned)rng_below(rng, REGISTERS), from = (unsigned)rng_below(rng, REGISTERS);
    if (kind == 0) {
        kit_load(kit, to, from, 0, 4);
    } else if (kind == 1) {
        kit_store(kit, to, from, 0, 4);
    } else {
        struct op *op = kit_op(kit, classes[rng_below(rng, sizeof classes / sizeof *classes)], to, from,
                               (to + 3) % REGISTERS);
        if (op->op_class == OP_FP_FMA)
            op->accumulator = 1;
    }
}

static void create(struct pair *pair, enum core_kind kind, uint64_t seed)
{
    struct error err;
    *pair = (struct pair){.rng = {seed}};
    pair->kit.core = kit_core(kind);
    pair->kit.core.l1i = (struct core_cache){4096, 2, 0};
    pair->kit.core.tlb.entries = 4;
    pair->kit.core.tlb.walk = 20;
    pair->kit.core.prefetcher.streams = 2;
    pair->kit.core.prefetcher.distance = 2;
    pair->kit.core.prefetcher.degree = 1;
    for (unsigned i = 0; i < BLOCKS * BLOCK_OPS; i++)
        add_random(&pair->kit, &pair->rng);
    kit_create(&pair->kit);
    pair->plain = model_create(&pair->kit.core, pair->kit.ops, pair->kit.count, &err);
    cr_assert(pair->plain, "%s", err.text);
}

/* Mostly along a few lines, at times anywhere. */
static unsigned fill_addresses(struct pair *pair, unsigned first, unsigned round, uint64_t *addresses)
{
    unsigned count = 0;
    for (unsigned i = first; i < first + BLOCK_OPS; i++) {
        if (pair->kit.ops[i].memory == OP_NO_MEMORY)
            continue;
        bool far = rng_below(&pair->rng, 40) == 0;
        uint64_t offset =
            far ? rng_below(&pair->rng, PAGES * 4096) / 4 * 4 : (round / 8 * 4 + i * 128) % 2048;
        addresses[count++] = KIT_DATA + offset;
    }
    return count;
}

static void expect_same(const struct model *model, const struct model *plain)
{
    cr_assert_eq(model->flow.cycle, plain->flow.cycle);
    cr_assert_eq(model->flow.commit_cycle, plain->flow.commit_cycle);
    cr_assert_eq(model->flow.front, plain->flow.front);
    cr_assert_eq(model->flow.complete, plain->flow.complete);
    cr_assert_eq(model->flow.uops, plain->flow.uops);
    cr_assert_eq(model->observed, plain->observed);
    cr_assert_eq(model->drained, plain->drained);
    cr_assert_eq(model->memory_complete, plain->memory_complete);
    cr_assert_arr_eq(model->registers, plain->registers, OP_REGISTERS * sizeof *model->registers);
    cr_assert_arr_eq(model->calendar, plain->calendar, (model->calendar_mask + 1) * sizeof *model->calendar);
    cr_assert_arr_eq(memory_counts(model->memory), memory_counts(plain->memory),
                     sizeof(struct memory_counts));
}

static void expect_same_sites(const struct model *model, const struct model *plain)
{
    recall_settle(model);
    cr_assert_arr_eq(model->sites, plain->sites, model->count * sizeof *model->sites);
}

/* The same block for a while, then another one. */
static void compare(enum core_kind kind, uint64_t seed)
{
    struct pair *pair = calloc(1, sizeof *pair);
    uint64_t addresses[BLOCK_OPS];
    create(pair, kind, seed);
    struct model *model = pair->kit.model, *plain = pair->plain;
    unsigned first = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (rng_below(&pair->rng, 50) == 0)
            first = (unsigned)rng_below(&pair->rng, BLOCKS) * BLOCK_OPS;
        fill_addresses(pair, first, round, addresses);
        recall_run(model, first, BLOCK_OPS, addresses);
        (kind == CORE_IN_ORDER ? in_order_run : out_of_order_run)(plain, first, BLOCK_OPS, addresses);
        expect_same(model, plain);
        if (round % 1000 == 0)
            expect_same_sites(model, plain);
    }
    expect_same_sites(model, plain);
    model_destroy(plain);
    kit_end(&pair->kit);
    free(pair);
}

Test(model_recall, in_order)
{
    for (uint64_t seed = 1; seed <= 8; seed++)
        compare(CORE_IN_ORDER, seed);
}

Test(model_recall, out_of_order)
{
    for (uint64_t seed = 1; seed <= 8; seed++)
        compare(CORE_OUT_OF_ORDER, seed);
}

/* More situations than records have room for. */
Test(model_recall, what_is_too_much)
{
    struct pair *pair = calloc(1, sizeof *pair);
    uint64_t addresses[BLOCK_OPS];
    create(pair, CORE_OUT_OF_ORDER, 9);
    recall_destroy(pair->kit.model->recall);
    pair->kit.model->recall = recall_create(pair->kit.count, RECALL_LEAST);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned first = (unsigned)rng_below(&pair->rng, BLOCKS) * BLOCK_OPS;
        fill_addresses(pair, first, 0, addresses);
        recall_run(pair->kit.model, first, BLOCK_OPS, addresses);
        out_of_order_run(pair->plain, first, BLOCK_OPS, addresses);
    }
    expect_same(pair->kit.model, pair->plain);
    expect_same_sites(pair->kit.model, pair->plain);
    model_destroy(pair->plain);
    kit_end(&pair->kit);
    free(pair);
}
