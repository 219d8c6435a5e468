#include <criterion/criterion.h>

#include "grader/loops/loop_bounds.h"

TestSuite(explain_loop);

/* Ports of the core that the tests have. */
enum { INT_0 = 1, INT_1 = 2, FP_0 = 4, FP_1 = 8, LOAD_0 = 16, LOAD_1 = 32, STORE_0 = 64 };
enum { V = 32, FLAGS = 64 };

static struct core test_core(void)
{
    struct core core = {.name = "test", .width = 4, .fetch = 4, .port_count = 7};
    for (unsigned wide = 0; wide < 2; wide++) {
        core.classes[OP_NOP][wide] = (struct core_class){.uops = 1};
        core.classes[OP_ALU][wide] =
            (struct core_class){.uops = 1, .latency = 1, .busy = 1, .ports = INT_0 | INT_1};
        core.classes[OP_ALU_FLAGS][wide] = core.classes[OP_ALU][wide];
        core.classes[OP_BRANCH][wide] =
            (struct core_class){.uops = 1, .latency = 1, .busy = 1, .ports = INT_0};
        core.classes[OP_MUL_WIDE][wide] =
            (struct core_class){.uops = 1, .latency = 4, .busy = 3, .ports = INT_1};
        core.classes[OP_LOAD][wide] =
            (struct core_class){.uops = 1, .latency = 4, .busy = 1, .ports = LOAD_0 | LOAD_1};
        core.classes[OP_LOAD_FP][wide] =
            (struct core_class){.uops = 1, .latency = 5, .busy = 1, .ports = LOAD_0 | LOAD_1};
        core.classes[OP_STORE][wide] =
            (struct core_class){.uops = 1, .latency = 1, .busy = 1, .ports = STORE_0};
        core.classes[OP_FP_ADD][wide] =
            (struct core_class){.uops = 1, .latency = 2, .busy = 1, .ports = FP_0 | FP_1};
        core.classes[OP_FP_FMA][wide] =
            (struct core_class){.uops = 1, .latency = 4, .accumulate = 2, .busy = 1, .ports = FP_0 | FP_1};
        core.classes[OP_FP_MUL][wide] =
            (struct core_class){.uops = 1, .latency = 3, .busy = 1, .ports = FP_0};
    }
    return core;
}

static struct op op3(enum op_class op_class, unsigned to, unsigned a, unsigned b)
{
    struct op op = {.op_class = (uint8_t)op_class, .accumulator = OP_NONE, .base_write = OP_NONE};
    op.reads[op.read_count++] = (uint8_t)a;
    if (b != OP_NONE)
        op.reads[op.read_count++] = (uint8_t)b;
    if (to != OP_NONE)
        op.writes[op.write_count++] = (uint8_t)to;
    return op;
}

/* A load of `to` that moves its base on. */
static struct op load_step(enum op_class op_class, unsigned to, unsigned base)
{
    struct op op = op3(op_class, to, base, OP_NONE);
    op.memory = OP_MEMORY_LOAD;
    op.bytes = 8;
    op.address_reads = 1;
    op.base_write = op.write_count;
    op.writes[op.write_count++] = (uint8_t)base;
    return op;
}

static struct op multiply_add(unsigned to, unsigned a, unsigned b, unsigned sum)
{
    struct op op = op3(OP_FP_FMA, to, a, b);
    op.accumulator = op.read_count;
    op.reads[op.read_count++] = (uint8_t)sum;
    return op;
}

static struct op compare(unsigned a, unsigned b)
{
    return op3(OP_ALU_FLAGS, FLAGS, a, b);
}

static struct op branch(void)
{
    struct op op = op3(OP_BRANCH, OP_NONE, FLAGS, OP_NONE);
    op.branch = OP_CONDITIONAL;
    return op;
}

static void is_chain(const struct op *ops, size_t count, uint64_t cycles, uint64_t rounds, unsigned parallel,
                     struct loop_chain *chain)
{
    const struct core core = test_core();
    struct error err = {""};
    cr_assert(loop_chain(&core, ops, count, NULL, 0, chain, &err), "%s", err.text);
    struct loop_ratio expected = {cycles, rounds};
    cr_expect(!loop_ratio_less(chain->ratio, expected) && !loop_ratio_less(expected, chain->ratio),
              "expected %lu cycles in %lu rounds, found %lu in %lu", cycles, rounds, chain->ratio.cycles,
              chain->ratio.rounds);
    cr_expect_eq(chain->parallel, parallel, "%u chains", chain->parallel);
}

Test(explain_loop, one_sum_is_a_chain_of_additions)
{
    const struct op ops[] = {load_step(OP_LOAD_FP, V + 1, 0), op3(OP_FP_ADD, V, V, V + 1), compare(0, 1),
                             branch()};
    struct loop_chain chain;
    is_chain(ops, 4, 2, 1, 1, &chain);
    cr_expect_eq(chain.count, 1);
    cr_expect_eq(chain.links[0].op, 1);
    cr_expect_eq(chain.links[0].latency, 2);
    cr_expect_not(chain.links[0].moves_base);
}

Test(explain_loop, additions_in_a_row_add_up)
{
    struct op ops[9];
    for (unsigned i = 0; i < 8; i++)
        ops[i] = op3(OP_FP_ADD, V, V, V + 1);
    ops[8] = branch();
    struct loop_chain chain;
    is_chain(ops, 9, 16, 1, 1, &chain);
    cr_expect_eq(chain.count, 8);
    for (unsigned i = 0; i < 8; i++)
        cr_expect_eq(chain.links[i].op, i, "in the order of the loop");
}

Test(explain_loop, chains_side_by_side_are_counted)
{
    struct op ops[8];
    for (unsigned i = 0; i < 8; i++)
        ops[i] = op3(OP_FP_ADD, V + i % 4, V + i % 4, V + 9);
    struct loop_chain chain;
    is_chain(ops, 8, 4, 1, 4, &chain);
}

Test(explain_loop, a_product_may_come_in_early_and_the_sum_late)
{
    const struct op late[] = {multiply_add(V, V + 1, V + 2, V)}, early[] = {multiply_add(V, V, V + 2, V + 1)};
    struct loop_chain chain;
    is_chain(late, 1, 2, 1, 1, &chain); /* accumulate forwarding */
    is_chain(early, 1, 4, 1, 1, &chain);
}

Test(explain_loop, forwarding_is_between_instructions_of_one_class)
{
    const struct op ops[] = {multiply_add(V, V + 1, V + 2, V), op3(OP_FP_ADD, V, V, V + 1)};
    struct loop_chain chain;
    is_chain(ops, 2, 4 + 2, 1, 1, &chain);
}

Test(explain_loop, a_base_that_moves_on_is_an_addition_not_a_load)
{
    const struct op ops[] = {load_step(OP_LOAD, 1, 0)};
    struct loop_chain chain;
    is_chain(ops, 1, 1, 1, 1, &chain);
    cr_expect(chain.links[0].moves_base);
}

Test(explain_loop, a_list_is_a_chain_of_loads)
{
    struct op next = op3(OP_LOAD, 0, 0, OP_NONE);
    next.memory = OP_MEMORY_LOAD;
    next.address_reads = 1;
    const struct op ops[] = {next, op3(OP_ALU, 5, 5, 5), branch()};
    struct loop_chain chain;
    is_chain(ops, 3, 4, 1, 1, &chain);
}

Test(explain_loop, what_is_stored_does_not_hold_up_the_base)
{
    struct op store = op3(OP_STORE, OP_NONE, 0, 1);
    store.memory = OP_MEMORY_STORE;
    store.address_reads = 1;
    store.base_write = 0;
    store.writes[store.write_count++] = 0;
    const struct op ops[] = {op3(OP_MUL_WIDE, 1, 1, 2), store};
    struct loop_chain chain;
    is_chain(ops, 2, 4, 1, 1, &chain);
    const struct op from_base[] = {op3(OP_MUL_WIDE, 1, 0, 2), store};
    is_chain(from_base, 2, 1, 1, 1, &chain); /* the multiplication ends in the store */
    store.step = 2;
    const struct op by_a_register[] = {op3(OP_MUL_WIDE, 1, 0, 2), store};
    is_chain(by_a_register, 2, 5, 1, 1, &chain); /* the base is moved on by the product */
}

/* r0 <- r1, r1 <- r0 of the round before: two rounds once around. */
Test(explain_loop, a_chain_may_go_round_in_two_rounds)
{
    const struct op ops[] = {op3(OP_FP_MUL, V + 1, V, V), op3(OP_FP_ADD, V + 2, V + 3, V + 3),
                             op3(OP_ALU, V + 3, V + 1, OP_NONE), op3(OP_ALU, V, V + 2, OP_NONE)};
    /* mul(3) -> alu(1) -> next round's add(2) -> alu(1) -> next round's mul: 7 cycles in 2 rounds */
    struct loop_chain chain;
    is_chain(ops, 4, 7, 2, 1, &chain);
    cr_expect_eq(chain.count, 4);
}

Test(explain_loop, the_longer_of_two_chains_is_found)
{
    const struct op ops[] = {op3(OP_ALU, 1, 1, 2), op3(OP_MUL_WIDE, 3, 3, 2), op3(OP_ALU, 3, 3, 1)};
    struct loop_chain chain;
    is_chain(ops, 3, 5, 1, 1, &chain);
    cr_expect_eq(chain.links[0].op, 1);
    cr_expect_eq(chain.links[1].op, 2);
}

/* A counter kept in memory, as unoptimized code has it: 7 cycles through the store, one for the addition. */
Test(explain_loop, what_is_stored_and_loaded_again_is_a_chain)
{
    struct core core = test_core();
    struct op load = op3(OP_LOAD, 1, 31, OP_NONE), store = op3(OP_STORE, OP_NONE, 31, 1);
    load.memory = OP_MEMORY_LOAD;
    store.memory = OP_MEMORY_STORE;
    load.address_reads = store.address_reads = 1;
    const struct op ops[] = {load, op3(OP_ALU, 1, 1, OP_NONE), store, branch()};
    const struct loop_carry carry = {.store = 2, .load = 0};
    struct loop_chain chain;
    struct error err;
    core.forward = 7;
    cr_assert(loop_chain(&core, ops, 4, &carry, 1, &chain, &err));
    cr_expect_eq(chain.ratio.cycles, 8);
    cr_expect_eq(chain.ratio.rounds, 1);
    cr_expect_eq(chain.count, 3);
    is_chain(ops, 4, 0, 1, 0, &chain); /* without that, there is none */
}

Test(explain_loop, without_a_carried_result_there_is_no_chain)
{
    const struct op ops[] = {op3(OP_ALU, 1, 2, 3), op3(OP_MUL_WIDE, 4, 1, 1), branch()};
    struct loop_chain chain;
    is_chain(ops, 3, 0, 1, 0, &chain);
    cr_expect_eq(chain.count, 0);
}

Test(explain_loop, a_register_that_is_written_anew_carries_nothing)
{
    const struct op ops[] = {op3(OP_ALU, 1, 2, OP_NONE), op3(OP_MUL_WIDE, 1, 1, 1), op3(OP_ALU, 4, 1, 1)};
    struct loop_chain chain;
    is_chain(ops, 3, 0, 1, 0, &chain);
}

Test(explain_loop, a_loop_that_is_too_long_is_told)
{
    static struct op ops[LOOP_OPS + 1];
    const struct core core = test_core();
    struct loop_chain chain;
    struct error err = {""};
    cr_expect_not(loop_chain(&core, ops, LOOP_OPS + 1, NULL, 0, &chain, &err));
    cr_expect(err.text[0]);
}

/* ---- ports and width ---- */

static void is_ports(const struct op *ops, const uint64_t *executions, size_t count, uint64_t rounds,
                     uint64_t cycles, uint64_t of, unsigned mask)
{
    const struct core core = test_core();
    struct loop_ports ports;
    loop_ports(&core, ops, executions, count, rounds, &ports);
    struct loop_ratio expected = {cycles, of};
    cr_expect(!loop_ratio_less(ports.ratio, expected) && !loop_ratio_less(expected, ports.ratio),
              "expected %lu/%lu, found %lu/%lu", cycles, of, ports.ratio.cycles, ports.ratio.rounds);
    cr_expect_eq(ports.ports, mask, "ports %#x", ports.ports);
}

Test(explain_loop, loads_share_two_ports)
{
    struct op load = load_step(OP_LOAD, 1, 0);
    const struct op ops[] = {load, load, load, op3(OP_ALU, 1, 1, 1)};
    const uint64_t executions[] = {10, 10, 10, 10};
    is_ports(ops, executions, 4, 10, 3, 2, LOAD_0 | LOAD_1);
}

Test(explain_loop, work_that_can_go_elsewhere_does)
{
    /* FP_MUL on FP_0 only: 3 cycles there; the additions take FP_1, until both are full */
    const struct op ops[] = {op3(OP_FP_MUL, V, V, V), op3(OP_FP_ADD, V, V, V)};
    const uint64_t few[] = {30, 20}, many[] = {30, 50};
    is_ports(ops, few, 2, 10, 3, 1, FP_0);
    is_ports(ops, many, 2, 10, 4, 1, FP_0 | FP_1);
}

Test(explain_loop, a_port_that_is_kept_busy_counts_for_longer)
{
    const struct op ops[] = {op3(OP_MUL_WIDE, 1, 2, 3)};
    const uint64_t executions[] = {7};
    is_ports(ops, executions, 1, 7, 3, 1, INT_1);
}

Test(explain_loop, base_registers_and_second_ports_are_work_too)
{
    struct core core = test_core();
    const struct op ops[] = {load_step(OP_LOAD, 1, 0), load_step(OP_LOAD, 2, 0)};
    const uint64_t executions[] = {10, 10};
    struct loop_ports ports;
    core.base_ports = INT_0;
    core.base_uops = 1;
    loop_ports(&core, ops, executions, 2, 10, &ports);
    cr_expect_eq(loop_ratio_value(ports.ratio), 2);
    cr_expect_eq(ports.ports, INT_0);
    cr_expect_eq(loop_ratio_value(loop_width(&core, ops, executions, 2, 10)), 1);
    core.base_ports = 0;
    core.classes[OP_LOAD][0].also_ports = STORE_0;
    loop_ports(&core, ops, executions, 2, 10, &ports);
    cr_expect_eq(ports.ports, STORE_0);
}

Test(explain_loop, what_needs_no_port_binds_none)
{
    const struct op ops[] = {op3(OP_NOP, OP_NONE, 0, OP_NONE)};
    const uint64_t executions[] = {7};
    is_ports(ops, executions, 1, 7, 0, 1, 0);
}

Test(explain_loop, width_is_micro_operations_or_what_is_fetched)
{
    struct core core = test_core();
    const struct op ops[] = {op3(OP_NOP, OP_NONE, 0, OP_NONE), op3(OP_ALU, 1, 1, 1), branch()};
    const uint64_t executions[] = {100, 50, 100};
    cr_expect_eq(loop_ratio_value(loop_width(&core, ops, executions, 3, 100)), 2.5 / 4);
    core.fetch = 2;
    cr_expect_eq(loop_ratio_value(loop_width(&core, ops, executions, 3, 100)), 2.5 / 2);
    core.classes[OP_NOP][0].uops = 6;
    cr_expect_eq(loop_ratio_value(loop_width(&core, ops, executions, 3, 100)), 7.5 / 4);
}

Test(explain_loop, ratios_are_compared_exactly)
{
    struct loop_ratio third = {1, 3}, more = {333334, 1000000}, none = {0, 0};
    cr_expect(loop_ratio_less(third, more));
    cr_expect_not(loop_ratio_less(more, third));
    cr_expect_eq(loop_ratio_value(none), 0);
}

Test(explain_loop, a_call_cannot_be_run_alone)
{
    const struct core core = test_core();
    struct op call = branch();
    struct loop_ratio ratio;
    struct error err = {""};
    call.branch = OP_CALL;
    cr_expect_not(loop_alone(&core, &call, 1, &ratio, &err));
    cr_expect_not(loop_alone(&core, &call, 0, &ratio, &err));
}
