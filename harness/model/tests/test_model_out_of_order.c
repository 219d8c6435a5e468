#include "harness/model/tests/model_kit.h"

/* What is dispatched in cycle d issues in d + 1 at the earliest, is complete with its latency, and commits
 * then; the last cycle counts: a single ALU instruction takes 0 (dispatch), 1 (issue), 2 (commit): 3 cycles.
 */
static struct kit out_of_order(void)
{
    struct kit kit = {.core = kit_core(CORE_OUT_OF_ORDER)};
    return kit;
}

Test(model_out_of_order, a_chain_takes_its_latencies)
{
    struct kit alu = out_of_order(), mul = out_of_order();
    for (unsigned i = 0; i < 100; i++) {
        kit_op(&alu, OP_ALU, 0, 0, 1);
        kit_op(&mul, OP_MUL, 0, 0, 1);
    }
    kit_takes(&alu, 2 + 100);
    kit_takes(&mul, 2 + 300);
}

Test(model_out_of_order, width_is_a_bound)
{
    struct kit kit = out_of_order();
    for (unsigned i = 0; i < 100; i++)
        kit_add(&kit, OP_NOP);
    kit_takes(&kit, 2 + 25);
    kit.core.commit = 2;
    kit_takes(&kit, 2 + 50);
    kit.core.commit = 8;
    kit_takes(&kit, 2 + 25);
    kit.core.classes[OP_NOP][0].uops = 2;
    kit_takes(&kit, 2 + 50);
}

Test(model_out_of_order, instructions_without_slots_are_bound_by_fetch)
{
    struct kit kit = out_of_order();
    kit.core.classes[OP_NOP][0].uops = 0;
    for (unsigned i = 0; i < 80; i++)
        kit_add(&kit, OP_NOP);
    kit_takes(&kit, 2 + 10);
}

Test(model_out_of_order, ports_are_a_bound)
{
    struct kit alu = out_of_order(), mul = out_of_order(), div = out_of_order();
    for (unsigned i = 0; i < 100; i++) {
        kit_op(&alu, OP_ALU, i % 20, 30, 31);
        kit_op(&mul, OP_MUL, i % 20, 30, 31);
        kit_op(&div, OP_DIV, i % 20, 30, 31);
    }
    kit_takes(&alu, 2 + 50);
    kit_takes(&mul, 1 + 99 + 3 + 1);
    kit_takes(&div, 1 + 99 * 8 + 10 + 1);
}

/* Ten divisions, of which each waits for the one before, or only for the divider. */
static void divides(uint64_t bits, bool chain, uint64_t expected)
{
    struct kit kit = out_of_order();
    struct core_class *class = &kit.core.classes[OP_DIV][0];
    class->latency = class->busy = 4;
    class->most = 12;
    class->digit = 4;
    for (unsigned i = 0; i < 10; i++) {
        kit_op(&kit, OP_DIV, chain ? 0 : i, chain ? 0 : 30, 31)->quotient = 32;
        kit.addresses[kit.accesses++] = bits;
    }
    kit_takes(&kit, expected);
}

Test(model_out_of_order, a_long_quotient_takes_longer)
{
    static const struct {
        uint64_t bits, cycles;
    } quotients[] = {{0, 4}, {1, 5}, {4, 5}, {5, 6}, {8, 6}, {28, 11}, {29, 12}, {32, 12}};
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
        divides(quotients[i].bits, true, 2 + 10 * quotients[i].cycles);
        divides(quotients[i].bits, false, 2 + 10 * quotients[i].cycles);
    }
}

Test(model_out_of_order, a_port_is_free_before_it_is_taken)
{
    struct kit kit = out_of_order();
    kit_op(&kit, OP_MUL, 0, 0, 1); /* 1 to 4 */
    kit_op(&kit, OP_MUL, 0, 0, 1); /* 4 to 7 */
    kit_op(&kit, OP_MUL, 2, 3, 4); /* in between: 2 to 5 */
    for (unsigned i = 0; i < 5; i++)
        kit_op(&kit, OP_ALU, 2, 2, 1); /* 5 to 10 */
    kit_takes(&kit, 11);
}

/* A product that goes into a sum is forwarded to it as the sum before is, where the core says so. */
Test(model_out_of_order, a_product_may_be_forwarded_to_an_accumulator)
{
    struct kit kit = out_of_order();
    struct core_class *mul = &kit.core.classes[OP_FP_MUL][0];
    *mul = kit.core.classes[OP_FP_FMA][0];
    mul->accumulate = 0;
    for (unsigned i = 0; i < 20; i++) {
        kit_op(&kit, OP_FP_MUL, 0, 0, 1);
        struct op *fma = kit_op(&kit, OP_FP_FMA, 0, 2, 3);
        kit_reads(fma, 0);
        fma->accumulator = 2;
    }
    kit_takes(&kit, 2 + 20 * 8);
    mul->accumulate = 2;
    kit_takes(&kit, 2 + 20 * 6);
}

/* ---- several registers ---- */

Test(model_out_of_order, each_register_takes_its_turn)
{
    struct kit kit = out_of_order();
    struct core_class *class = &kit.core.classes[OP_LOAD_VECTOR][0];
    *class = kit.core.classes[OP_LOAD][0];
    for (unsigned i = 0; i < 20; i++) {
        struct op *load = kit_load(&kit, i, 30, KIT_DATA, 8);
        load->op_class = OP_LOAD_VECTOR;
        load->registers = 4;
    }
    kit_load(&kit, 29, 30, KIT_DATA, 8);
    uint64_t once = kit_run_warm(&kit);
    class->each = true;
    kit_end(&kit);
    cr_expect_eq(kit_run_warm(&kit), once + 20 * 3, "the port is taken three times more by each");
    kit_end(&kit);
}

/* A store's data go through a port of their own, once they are there. */
Test(model_out_of_order, a_stores_data_take_a_port)
{
    struct kit kit = out_of_order();
    kit.core.classes[OP_FP_ADD][0].ports = 1 << 6;
    for (unsigned i = 0; i < 20; i++) {
        kit_op(&kit, OP_FP_ADD, i, 30, 31);
        kit_op(&kit, OP_FP_ADD, 20 + i % 4, 30, 31);
        kit_store(&kit, i, 29, KIT_DATA, 8);
    }
    kit_run(&kit);
    uint64_t without = kit_count(&kit, MODEL_CYCLES);
    kit.core.classes[OP_STORE][0].also_ports = 1 << 6;
    kit_end(&kit);
    kit_run(&kit);
    cr_expect_geq(kit_count(&kit, MODEL_CYCLES), without + 16, "%lu, %lu",
                  (unsigned long)kit_count(&kit, MODEL_CYCLES), (unsigned long)without);
    kit_end(&kit);
}

/* ---- issue queues ---- */

/* The multiplications wait for each other, and fill the queue; the load is behind them. */
Test(model_out_of_order, a_full_issue_queue_stops_dispatch)
{
    struct kit kit = out_of_order();
    kit.core.port_queue[2] = CORE_INTEGER_QUEUE;
    kit.core.port_queue[3] = CORE_MEMORY_QUEUE;
    for (unsigned i = 0; i < 30; i++)
        kit_op(&kit, OP_MUL, 0, 0, 1);
    kit_load(&kit, 2, 3, KIT_DATA, 8);
    kit_takes(&kit, 7 + 1 + 3 + KIT_MISS + 1);
    kit.core.queue[CORE_INTEGER_QUEUE] =
        4; /* the last one enters when the fifth before it has left: 1 + 25 * 3 */
    kit_takes(&kit, 76 + 1 + 1 + 3 + KIT_MISS + 1);
    kit.core.queue[CORE_INTEGER_QUEUE] = 32;
    kit_takes(&kit, 7 + 1 + 3 + KIT_MISS + 1);
}

Test(model_out_of_order, a_queue_is_left_out_of_order)
{
    struct kit kit = out_of_order();
    kit.core.port_queue[0] = kit.core.port_queue[1] = kit.core.port_queue[2] = CORE_INTEGER_QUEUE;
    kit.core.queue[CORE_INTEGER_QUEUE] = 8;
    kit_op(&kit, OP_DIV, 0, 0, 1);
    for (unsigned i = 0; i < 4; i++)
        kit_op(&kit, OP_ALU, 1, 0, 0); /* wait for it */
    for (unsigned i = 0; i < 40; i++)
        kit_op(&kit, OP_ALU, 2, 2, 3);   /* do not: four entries are enough for them */
    kit_takes(&kit, 1 + 1 + 40 + 1 + 2); /* two cycles for a port that the four had chosen, too */
    kit.core.queue[CORE_INTEGER_QUEUE] = 4;
    cr_expect_geq(kit_run(&kit), 11 + 40, "none is left for them");
    kit_end(&kit);
}

Test(model_out_of_order, a_full_queue_is_a_reason_of_its_own)
{
    struct kit kit = out_of_order();
    kit.core.port_queue[0] = kit.core.port_queue[1] = CORE_INTEGER_QUEUE;
    kit.core.queue[CORE_INTEGER_QUEUE] = 1;
    for (unsigned i = 0; i < 100; i++)
        kit_op(&kit, OP_ALU, i % 20, 30, 31);
    kit_run(&kit);
    uint64_t queue = 0;
    for (size_t i = 0; i < kit.count; i++)
        queue += model_sites(kit.model)[i].cycles[MODEL_WAIT_QUEUE];
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 2 + 199);
    cr_expect_eq(queue, 99 * 2, "%lu", (unsigned long)queue);
    kit_end(&kit);
}

/* Two that wait have chosen port 0: of those that are ready now, port 1 gets more. */
Test(model_out_of_order, the_port_with_less_work_is_chosen_at_dispatch)
{
    struct kit kit = out_of_order();
    kit.core.classes[OP_SELECT][0].ports = 1;
    kit.core.width = kit.core.commit = kit.core.fetch = 16;
    kit_load(&kit, 0, 1, KIT_DATA, 8);
    kit_op(&kit, OP_SELECT, 2, 0, 0);
    kit_op(&kit, OP_SELECT, 3, 0, 0);
    for (unsigned i = 0; i < 7; i++)
        kit_op(&kit, OP_ALU, 10, 30, 31); /* port 1 in 1 to 5, the last of them; port 0 in 1 and 2 */
    for (unsigned i = 0; i < 60; i++)
        kit_op(&kit, OP_MUL, 10, 10, 10);
    kit_takes(&kit, 5 + 1 + 60 * 3 + 1);
}

Test(model_out_of_order, a_class_has_one_queue)
{
    struct error err;
    struct kit kit = out_of_order();
    kit.core.port_queue[0] = CORE_INTEGER_QUEUE;
    kit_op(&kit, OP_ALU, 0, 0, 1);
    cr_expect_null(model_create(&kit.core, NULL, kit.ops, kit.count, &err));
    cr_expect(strstr(err.text, "two issue queues"), "%s", err.text);
    kit.core.port_queue[1] = CORE_INTEGER_QUEUE;
    kit.core.queue[CORE_INTEGER_QUEUE] = 2;
    kit.core.classes[OP_ALU][0].uops = 3;
    cr_expect_null(model_create(&kit.core, NULL, kit.ops, kit.count, &err));
    cr_expect(strstr(err.text, "an issue queue of 3 entries at least"), "%s", err.text);
}

Test(model_out_of_order, the_port_of_fewer_classes_is_taken_first)
{
    struct kit kit = out_of_order();
    /* ALU may use the multiplier's port, too, but leaves it alone: 0, 1 and 2 each once a cycle. */
    kit.core.classes[OP_ALU][0].ports = 7;
    for (unsigned i = 0; i < 30; i++) {
        kit_op(&kit, OP_ALU, 1, 30, 31);
        kit_op(&kit, OP_ALU, 2, 30, 31);
        kit_op(&kit, OP_MUL, 3, 30, 31);
    }
    kit.core.width = kit.core.commit = 3;
    kit_takes(&kit, 1 + 29 + 3 + 1);
}

Test(model_out_of_order, a_port_that_is_busy_at_the_end_is_free_in_the_next_count)
{
    struct kit kit = out_of_order();
    kit.core.classes[OP_MUL][0] = (struct core_class){.uops = 1, .latency = 1, .busy = 30, .ports = 1};
    for (unsigned i = 0; i < 100; i++)
        kit_op(&kit, OP_ALU, 10, 30, 31);
    kit_op(&kit, OP_MUL, 10, 30, 31);
    const uint64_t first = kit_run(&kit);
    cr_expect_geq(first, 2 + 50);
    for (unsigned again = 0; again < 3; again++) {
        model_forget_counts(kit.model);
        cr_expect_eq(kit_again(&kit), first);
    }
    kit_end(&kit);
}

/* A chain of divisions, and between two of them results that wait to commit behind the first: with few
 * registers the next division is not dispatched before they do. */
static void divides_beside(enum op_class op_class, unsigned to, unsigned registers, uint64_t expected)
{
    struct kit kit = out_of_order();
    kit.core.vector_registers = (uint16_t)registers;
    for (unsigned i = 0; i < 10; i++) {
        kit_op(&kit, OP_DIV, 0, 0, 31);
        for (unsigned j = 0; j < 8; j++)
            kit_op(&kit, op_class, to + j, 30, 31);
    }
    kit_takes(&kit, expected);
}

Test(model_out_of_order, results_in_flight_are_bound_by_the_registers)
{
    divides_beside(OP_V_ALU, 40, 0, 2 + 10 * 10 + 2); /* the last eight commit in two cycles */
    divides_beside(OP_V_ALU, 40, 16, 2 + 10 * 10 + 2);
    divides_beside(OP_V_ALU, 40, 5, 2 + 10 * 12 + 1);
    divides_beside(OP_ALU, 1, 5, 2 + 10 * 10 + 2);
}

Test(model_out_of_order, misses_overlap_within_the_window)
{
    struct kit near = out_of_order(), far = out_of_order();
    near.core.window = far.core.window = 16;
    near.core.classes[OP_ALU][0].ports = far.core.classes[OP_ALU][0].ports = 0;
    kit_load(&near, 0, 30, KIT_DATA, 8);
    kit_load(&far, 0, 30, KIT_DATA, 8);
    for (unsigned i = 0; i < 19; i++) {
        if (i < 9)
            kit_op(&near, OP_ALU, 1, 30, 31);
        kit_op(&far, OP_ALU, 1, 30, 31);
    }
    kit_load(&near, 0, 30, KIT_DATA + 64, 8);
    kit_load(&far, 0, 30, KIT_DATA + 64, 8);
    /* The first commits in 1 + 3 + KIT_MISS = 104. Near: the second is number 10, dispatched in 2. */
    kit_takes(&near, 2 + 1 + 3 + KIT_MISS + 1);
    /* Far: number 20 needs the room of number 4, which commits in 105. */
    cr_expect_eq(kit_run(&far), 106 + 1 + 3 + KIT_MISS + 1);
    const struct model_site *sites = model_sites(far.model);
    cr_expect_eq(sites[0].cycles[MODEL_WAIT_MEMORY], 104 - 2);
    cr_expect_gt(sites[20].cycles[MODEL_WAIT_MEMORY], 90);
    kit_end(&far);
}

Test(model_out_of_order, queues_limit_what_is_in_flight)
{
    struct kit loads = out_of_order(), stores = out_of_order();
    for (unsigned i = 0; i < 4; i++) {
        kit_load(&loads, i, 30, KIT_DATA + i * 64, 8);
        kit_store(&stores, 0, 30, KIT_DATA + i * 64, 8);
    }
    kit_takes(&loads, 1 + 3 + 3 + KIT_MISS + 1);
    loads.core.load_queue =
        2; /* the third is dispatched after the first's commit, in 105, the fourth in 106 */
    kit_takes(&loads, 106 + 1 + 3 + KIT_MISS + 1);
    kit_takes(&stores, 4 + 1 + 1);
    stores.core.store_queue =
        2; /* the first commits in 2, is in the cache in 3 + KIT_MISS; the second 1 later */
    kit_takes(&stores, 4 + KIT_MISS + 2 + 1);
}

Test(model_out_of_order, outstanding_misses_are_limited)
{
    struct kit kit = out_of_order();
    for (unsigned i = 0; i < 4; i++)
        kit_load(&kit, i, 30, KIT_DATA + i * 64, 8);
    kit.core.fills = 2; /* asked for in 1, 2, then when these are there, in 101 and 102 */
    kit_takes(&kit, 102 + 3 + KIT_MISS + 1);
}

Test(model_out_of_order, a_load_takes_a_stores_data)
{
    struct kit kit = out_of_order();
    kit_op(&kit, OP_ALU, 0, 0, 30);
    kit_store(&kit, 0, 30, KIT_DATA, 8);
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    kit_create(&kit);
    for (unsigned i = 0; i < 10; i++) /* an addition and 5 through memory, ten times */
        kit_again(&kit);
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 1 + 10 * 6 + 1);
    cr_expect_gt(model_sites(kit.model)[2].cycles[MODEL_WAIT_STORE], 30);
    kit_end(&kit);
}

Test(model_out_of_order, a_load_with_part_of_its_bytes_waits_for_the_cache)
{
    struct kit kit = out_of_order();
    kit_store(&kit, 0, 30, KIT_DATA + 4, 4);
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    /* The store commits in 2 and is in the cache in 3 + KIT_MISS: a hit from there on. */
    kit_takes(&kit, 3 + KIT_MISS + 3 + 1);
}

Test(model_out_of_order, a_register_with_part_of_its_bytes_waits_longer)
{
    struct kit kit = out_of_order();
    kit.core.forward_part = 15;
    kit_store(&kit, 0, 30, KIT_DATA, 16);
    struct op *pair = kit_load(&kit, 1, 30, KIT_DATA + 8, 16);
    pair->registers = 2; /* the first one has all from the store, the second one nothing */
    kit_takes_warm(&kit, 1U + kit.core.forward + 2);
    kit.core.forward_pair = 14;
    kit_takes_warm(&kit, 1 + 14 + 2);
    pair->registers = 1;
    kit_takes_warm(&kit, 1 + 15 + 2);
}

Test(model_out_of_order, a_pair_of_eight_bytes_is_one_access)
{
    for (unsigned bytes = 4; bytes <= 8; bytes *= 2) {
        struct kit kit = out_of_order();
        kit.core.forward_part = 15;
        kit_store(&kit, 0, 30, KIT_DATA, bytes);
        kit_store(&kit, 0, 30, KIT_DATA + bytes, bytes);
        kit_load(&kit, 1, 30, KIT_DATA, 2 * bytes)->registers = 2;
        /* No store has all eight bytes; of 16, each register is read for itself. */
        kit_takes_warm(&kit, 2U + (bytes == 4 ? kit.core.forward_part : kit.core.forward_pair) + 2);
    }
}

Test(model_out_of_order, a_half_that_stays_is_not_waited_for)
{
    for (unsigned halves = 0; halves < 2; halves++) {
        struct kit kit = out_of_order();
        kit.core.halves = (uint8_t)halves;
        for (unsigned i = 0; i < 5; i++)
            kit_op(&kit, OP_FP_ADD, 40, 32, 40)->kept_half = 2;
        kit_takes(&kit, halves ? 1 + 2 + 4 + 1 : 1 + 4 * 4 + 4 + 1); /* two ports; a chain */
    }
    struct kit kit = out_of_order(); /* who reads the whole register waits for both */
    kit.core.halves = 1;
    kit_op(&kit, OP_DIV, 40, 0, 1);
    kit_op(&kit, OP_FP_ADD, 40, 32, 40)->kept_half = 2;
    kit_op(&kit, OP_FP_ADD, 41, 40, 32);
    kit_takes(&kit, 1 + 10 + 4 + 1);
}

Test(model_out_of_order, a_result_of_128_bits_takes_a_slot_for_each_half)
{
    for (unsigned halves = 0; halves < 2; halves++) {
        struct kit kit = out_of_order();
        kit.core.halves = (uint8_t)halves;
        for (unsigned i = 0; i < 16; i++)
            kit_op(&kit, OP_V_LOGIC, 40 + i, 32, 33)->wide = true;
        kit_takes(&kit, halves ? 8 + 1 + 1 : 4 + 1 + 1);
    }
    struct core core = kit_core(CORE_OUT_OF_ORDER);
    core.halves = 1;
    struct op pair = {
        .op_class = OP_LOAD, .wide = true, .memory = OP_MEMORY_LOAD, .registers = 2, .write_count = 2};
    cr_expect_eq(core_slots(&core, &pair), 4);
    pair.memory = OP_MEMORY_STORE; /* writes none but its base */
    cr_expect_eq(core_slots(&core, &pair), 1);
    struct op narrow = {.op_class = OP_V_PERMUTE, .wide = true, .half = true, .write_count = 1};
    core.classes[OP_V_PERMUTE][1].more_slots = 1;
    cr_expect_eq(core_slots(&core, &narrow), 1);
    narrow.half = false;
    cr_expect_eq(core_slots(&core, &narrow), 2);
    core.classes[OP_V_PERMUTE][1].uops = 0; /* goes with the next one */
    core.classes[OP_V_PERMUTE][1].more_slots = 0;
    cr_expect_eq(core_slots(&core, &narrow), 0);
}

Test(model_out_of_order, a_wide_load_finds_each_store)
{
    struct kit kit = out_of_order();
    kit_store(&kit, 0, 30, KIT_DATA + 60, 1);
    kit_load(&kit, 0, 30, KIT_DATA, 64);
    kit_takes_warm(&kit, 3 + 3 + 1);
    struct kit whole = out_of_order();
    kit_store(&whole, 0, 30, KIT_DATA, 64);
    kit_load(&whole, 0, 30, KIT_DATA + 56, 8);
    kit_takes_warm(&whole, 2 + 5 + 1);
}

Test(model_out_of_order, accumulators_come_late)
{
    struct kit kit = out_of_order();
    for (unsigned i = 0; i < 10; i++) {
        struct op *op = kit_op(&kit, OP_FP_FMA, 40, 32, 33);
        kit_reads(op, 40);
        op->accumulator = 2;
    }
    kit_takes(&kit, 1 + 9 * 2 + 4 + 1);
}

Test(model_out_of_order, a_mispredict_costs_its_penalty)
{
    struct kit kit = out_of_order();
    kit_branch(&kit, OP_JUMP_INDIRECT);
    kit_op(&kit, OP_ALU, 0, 0, 1);
    kit_create(&kit);
    model_run(kit.model, 0, 1, NULL, KIT_CODE + 4);
    model_run(kit.model, 1, 1, NULL, KIT_CODE);
    kit_balance(&kit);
    /* The branch issues in 1; what follows is dispatched in 9. */
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 9 + 2 + 1);
    cr_expect_eq(model_sites(kit.model)[0].cycles[MODEL_WAIT_MISPREDICT], 9);
    kit_end(&kit);
}

Test(model_out_of_order, isb_waits_for_all_and_refills)
{
    struct kit kit = out_of_order();
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    kit_barrier(&kit, OP_ORDER_CONTEXT);
    kit_op(&kit, OP_ALU, 1, 1, 2);
    /* complete in 104, dispatched 8 later, and two more until commit */
    kit_takes(&kit, 4 + KIT_MISS + 8 + 2 + 1);
    kit.ops[1].order = OP_ORDER_ALL;
    kit_takes(&kit, 4 + KIT_MISS + 2 + 1);
    kit.ops[1].order = OP_ORDER_MEMORY;
    kit_takes(&kit, 4 + KIT_MISS + 1);
    kit_load(&kit, 3, 30, KIT_DATA, 8); /* after the barrier: a hit, in 104 */
    kit_takes(&kit, 4 + KIT_MISS + 3 + 1);
}

Test(model_out_of_order, dsb_waits_for_no_arithmetic)
{
    struct kit kit = out_of_order();
    kit.core.classes[OP_MUL][0] = (struct core_class){.uops = 1, .latency = 50, .busy = 1, .ports = 1};
    kit_op(&kit, OP_MUL, 0, 30, 31);
    kit_barrier(&kit, OP_ORDER_ALL);
    kit_add(&kit, OP_COUNTER_READ);
    kit_run(&kit);
    cr_expect_lt(model_observe(kit.model, MODEL_CYCLES), 10);
    kit_end(&kit);
}

Test(model_out_of_order, a_counter_is_read_before_earlier_work_is_over)
{
    struct kit kit = out_of_order();
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    kit_op(&kit, OP_ALU, 1, 1, 0);
    kit_add(&kit, OP_COUNTER_READ);
    kit_run(&kit);
    cr_expect_eq(model_observe(kit.model, MODEL_CYCLES), 1);
    cr_expect_eq(model_observe(kit.model, MODEL_INSTRUCTIONS), 0);
    cr_expect_eq(model_observe(kit.model, MODEL_STORES), 0);
    kit_end(&kit);
    kit_barrier(&kit, OP_ORDER_CONTEXT);
    kit_add(&kit, OP_COUNTER_READ);
    kit_run(&kit);
    /* The addition is complete in 105; 8 later the counter is dispatched. */
    cr_expect_eq(model_observe(kit.model, MODEL_CYCLES), 4 + KIT_MISS + 1 + 8 + 1);
    cr_expect_eq(model_observe(kit.model, MODEL_INSTRUCTIONS), 4);
    kit_end(&kit);
}

Test(model_out_of_order, a_prefetch_holds_up_nobody)
{
    struct kit kit = out_of_order();
    struct op *op = kit_load(&kit, 0, 30, KIT_DATA, 8);
    op->op_class = OP_PREFETCH;
    op->memory = OP_MEMORY_PREFETCH;
    op->write_count = 0;
    kit_op(&kit, OP_ALU, 1, 1, 2);
    kit_takes(&kit, 3);
    kit.core.kind = CORE_IN_ORDER;
    kit_takes(&kit, 1);
}

Test(model_out_of_order, an_update_loads_and_stores)
{
    struct kit kit = out_of_order();
    struct op *op = kit_load(&kit, 0, 30, KIT_DATA, 8);
    op->op_class = OP_ATOMIC;
    op->memory = OP_MEMORY_UPDATE;
    kit.core.classes[OP_ATOMIC][0].latency = 6;
    kit_load(&kit, 1, 30, KIT_DATA, 8);
    kit_run_warm(&kit);
    /* 1 + 6, and forwarded from there */
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 7 + 5 + 1);
    cr_expect_eq(kit_count(&kit, MODEL_LOADS), 2);
    cr_expect_eq(kit_count(&kit, MODEL_STORES), 1);
    cr_expect_eq(kit_count(&kit, MODEL_MEMORY_ACCESSES), 3);
    kit_end(&kit);
    kit.core.kind = CORE_IN_ORDER; /* 0 + 6, and forwarded from its issue on */
    kit_run_warm(&kit);
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 6);
    kit_end(&kit);
}
