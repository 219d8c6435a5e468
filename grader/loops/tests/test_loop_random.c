/* The bounds of a loop are bounds: on random loops the model is never faster, whatever the core. */
#include <criterion/criterion.h>

#include "grader/core/core_file.h"
#include "grader/loops/loop_bounds.h"
#include "harness/base/rng.h"

enum {
    LOOPS = 60,
    MOST_OPS = 24,
    ROUNDS = 256,
    SLACK = 96
}; /* cycles, once: what is under way at both ends */

static bool adds_a_product(enum op_class op_class)
{
    return op_class == OP_MUL_ADD || op_class == OP_MUL_ADD_WIDE || op_class == OP_MUL_ADD_LONG ||
           op_class == OP_FP_FMA || op_class == OP_V_MLA || op_class == OP_V_MLA_LONG ||
           op_class == OP_V_FP_FMA;
}

/* Arithmetic and loads, over few registers: long chains, side by side. */
static struct op random_op(struct rng *rng)
{
    unsigned op_class;
    do
        op_class = (unsigned)rng_below(rng, OP_COUNTER_READ);
    while ((op_class >= OP_BRANCH && op_class <= OP_BRANCH_REGISTER) ||
           (op_class > OP_LOAD && op_class < OP_FP_MOVE));
    struct op op = {.op_class = (uint8_t)op_class,
                    .wide = op_class >= OP_V_ALU && rng_below(rng, 2),
                    .accumulator = OP_NONE,
                    .base_write = OP_NONE};
    op.read_count = (uint8_t)(1 + rng_below(rng, 2));
    for (unsigned i = 0; i < op.read_count; i++)
        op.reads[i] = (uint8_t)rng_below(rng, 8);
    if (adds_a_product(op_class)) {
        op.accumulator = op.read_count;
        op.reads[op.read_count++] = (uint8_t)rng_below(rng, 8);
    }
    op.writes[op.write_count++] = (uint8_t)rng_below(rng, 8);
    if (op_class == OP_LOAD) {
        op.memory = OP_MEMORY_LOAD;
        op.bytes = 8;
        op.address_reads = 1;
        op.read_count = 1;
        if (rng_below(rng, 2)) {
            op.base_write = op.write_count;
            op.writes[op.write_count++] = op.reads[0];
        }
    }
    return op;
}

static size_t random_loop(struct rng *rng, struct op *ops)
{
    size_t count = 2 + (size_t)rng_below(rng, MOST_OPS - 2);
    for (size_t i = 0; i + 1 < count; i++)
        ops[i] = random_op(rng);
    ops[count - 1] = (struct op){
        .op_class = OP_BRANCH, .branch = OP_CONDITIONAL, .accumulator = OP_NONE, .base_write = OP_NONE};
    for (size_t i = 0; i < count; i++)
        ops[i].address = 0x1000 + 4 * i;
    return count;
}

static void is_below(const char *core, unsigned loop, const char *what, struct loop_ratio bound,
                     struct loop_ratio model)
{
    double least = loop_ratio_value(bound) * ROUNDS, found = loop_ratio_value(model) * ROUNDS;
    cr_expect_leq(least, found + SLACK, "%s, loop %u: %s %.2f cycles a round, the model %.2f", core, loop,
                  what, least / ROUNDS, found / ROUNDS);
}

static void bounds_hold(const char *name)
{
    struct error err;
    struct core core;
    struct rng rng = {17};
    cr_assert(core_read(".", name, &core, &err), "%s", err.text);
    for (unsigned i = 0; i < LOOPS; i++) {
        struct op ops[MOST_OPS];
        uint64_t once[MOST_OPS];
        struct loop_ratio model;
        struct loop_chain chain;
        struct loop_ports ports;
        size_t count = random_loop(&rng, ops);
        for (size_t k = 0; k < count; k++)
            once[k] = 1;
        cr_assert(loop_alone(&core, ops, count, &model, &err), "%s", err.text);
        cr_assert(loop_chain(&core, ops, count, NULL, 0, &chain, &err), "%s", err.text);
        loop_ports(&core, ops, once, count, 1, &ports);
        is_below(name, i, "chain", chain.ratio, model);
        is_below(name, i, "ports", ports.ratio, model);
        is_below(name, i, "width", loop_width(&core, ops, once, count, 1), model);
    }
}

Test(loop_random, cortex_a55)
{
    bounds_hold("cortex-a55");
}

Test(loop_random, cortex_a72)
{
    bounds_hold("cortex-a72");
}

Test(loop_random, neoverse_n1)
{
    bounds_hold("neoverse-n1");
}

Test(loop_random, neoverse_v1)
{
    bounds_hold("neoverse-v1");
}
