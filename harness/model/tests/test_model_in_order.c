#include "harness/model/tests/model_kit.h"

/* The first instruction issues in cycle 0; one that issues in t with latency l is complete in t + l. */
static struct kit in_order(void)
{
    struct kit kit = {.core = kit_core(CORE_IN_ORDER)};
    return kit;
}

Test(model_in_order, a_chain_takes_its_latencies)
{
    struct kit alu = in_order(), mul = in_order();
    for (unsigned i = 0; i < 20; i++) {
        kit_op(&alu, OP_ALU, 0, 0, 1);
        kit_op(&mul, OP_MUL, 0, 0, 1);
    }
    kit_takes(&alu, 20);
    kit_takes(&mul, 60);
}

Test(model_in_order, independent_instructions_issue_by_twos)
{
    struct kit nops = in_order(), alu = in_order();
    for (unsigned i = 0; i < 20; i++) {
        kit_add(&nops, OP_NOP);
        kit_op(&alu, OP_ALU, i, 30, 31);
    }
    kit_takes(&nops, 10);
    kit_takes(&alu, 10);
}

Test(model_in_order, fetch_is_a_bound_too)
{
    struct kit kit = in_order();
    kit.core.fetch = 1;
    for (unsigned i = 0; i < 20; i++)
        kit_add(&kit, OP_NOP);
    kit_takes(&kit, 20);
}

Test(model_in_order, instructions_without_slots_are_bound_by_fetch)
{
    struct kit kit = in_order();
    kit.core.classes[OP_NOP][0].uops = 0;
    for (unsigned i = 0; i < 80; i++)
        kit_add(&kit, OP_NOP);
    kit_takes(&kit, 10);
}

Test(model_in_order, a_port_is_a_bound)
{
    struct kit mul = in_order(), div = in_order();
    for (unsigned i = 0; i < 10; i++) {
        kit_op(&mul, OP_MUL, i, 30, 31);
        kit_op(&div, OP_DIV, i, 30, 31);
    }
    kit_takes(&mul, 9 + 3);
    kit_takes(&div, 9 * 8 + 10);
}

/* Ten divisions, of which each waits for the one before, or only for the divider. */
static void divides(uint64_t bits, bool chain, uint64_t expected)
{
    struct kit kit = in_order();
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

Test(model_in_order, a_long_quotient_takes_longer)
{
    static const struct {
        uint64_t bits, cycles;
    } quotients[] = {{0, 4}, {1, 5}, {4, 5}, {5, 6}, {8, 6}, {28, 11}, {29, 12}, {32, 12}};
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
        divides(quotients[i].bits, true, 10 * quotients[i].cycles);
        divides(quotients[i].bits, false, 10 * quotients[i].cycles);
    }
}

Test(model_in_order, nothing_issues_behind_a_serial_one)
{
    struct kit kit = in_order();
    kit.core.classes[OP_DIV][0].serial = true;
    kit_op(&kit, OP_ALU, 0, 30, 31); /* beside the division */
    kit_op(&kit, OP_DIV, 1, 30, 31);
    for (unsigned i = 2; i < 6; i++)
        kit_op(&kit, OP_ALU, i, 30, 31);
    kit_takes(&kit, 10 + 2);
}

Test(model_in_order, different_ports_issue_together)
{
    struct kit kit = in_order();
    for (unsigned i = 0; i < 10; i++) {
        kit_op(&kit, OP_MUL, i, 30, 31);
        kit_op(&kit, OP_ALU, i + 10, 30, 31);
    }
    kit_takes(&kit, 9 + 3);
}

Test(model_in_order, some_are_the_first_of_their_cycle)
{
    struct kit behind = in_order(), before = in_order(), together = in_order();
    behind.core.classes[OP_V_ALU][1].first = before.core.classes[OP_V_ALU][1].first = true;
    together.core.classes[OP_V_ALU][1].first = true;
    for (unsigned i = 0; i < 10; i++) {
        kit_op(&behind, OP_V_ALU, 40 + i, 30, 31)->wide = true;
        kit_op(&behind, OP_ALU, i, 30, 31);
        kit_op(&together, OP_V_ALU, 40 + i, 30, 31)->wide = true;
    }
    kit_op(&before, OP_ALU, 0, 30, 31);
    kit_op(&before, OP_V_ALU, 40, 30, 31)->wide = true;
    kit_takes(&behind, 10);
    kit_takes(&together, 10);
    kit_takes(&before, 2);
}

/* Three additions of which two need the first one's result: two cycles for each three, not three. */
Test(model_in_order, a_late_alu_takes_an_operand_of_its_own_cycle)
{
    struct kit kit = in_order(), chain = in_order(), load = in_order();
    for (unsigned i = 0; i < 30; i++) {
        kit_op(&kit, OP_ALU, 0, 0, 31);
        kit_op(&kit, OP_ALU, 1, 0, 31);
        kit_op(&kit, OP_ALU, 2, 0, 31);
        kit_op(&chain, OP_ALU, 0, 0, 31);
    }
    kit_takes(&kit, 60);
    kit.core.classes[OP_ALU][0].late = chain.core.classes[OP_ALU][0].late = 1;
    kit_takes(&kit, 45);
    kit_takes(&chain,
              30); /* a chain is as long as before: the last result alone is late, and not waited for */
    kit_load(&load, 0, 31, KIT_DATA, 8);
    kit_op(&load, OP_ALU, 1, 0, 31);  /* issues a cycle before the load's data is there */
    kit_op(&load, OP_MUL, 2, 31, 31); /* beside it */
    kit_takes_warm(&load, 3 + 3);
    load.core.classes[OP_ALU][0].late = 1;
    kit_takes_warm(&load, 2 + 3);
}

/* Each sum waits for its product, and the next product behind it need not. */
Test(model_in_order, a_late_operand_of_vectors_lets_what_follows_begin)
{
    struct kit kit = in_order();
    kit.core.classes[OP_V_MUL][0].latency = 4;
    for (unsigned i = 0; i < 30; i++) {
        kit_op(&kit, OP_V_MUL, 32, 40, 41);
        kit_op(&kit, OP_V_ALU, 33, 32, 42);
    }
    kit_takes(&kit, 30 * 4 + 1);
    kit.core.classes[OP_V_ALU][0].late = 1;
    kit_takes(&kit, 30 * 3 + 1 + 1);
}

/* A load that waits for an address which was loaded: at once where that is the base of the next access, else
 * later. */
Test(model_in_order, an_address_that_was_loaded)
{
    struct kit chase = in_order(), two = in_order(), index = in_order(), sum = in_order();
    for (unsigned i = 0; i < 20; i++) {
        kit_load(&chase, 1, 1, KIT_DATA, 8);
        kit_load(&two, 1 + i % 2, 1 + i % 2, KIT_DATA, 8);
        struct op *load = kit_load(&index, 1, 1, KIT_DATA, 8);
        load->reads[load->read_count++] = 31;
        load->address_reads = 3;
        if (i % 2)
            kit_op(&sum, OP_ALU, 1, 1, 31);
        else
            kit_load(&sum, 1, 1, KIT_DATA, 8);
    }
    struct kit *const kits[] = {&chase, &two, &index, &sum};
    kit_takes_warm(&chase, 20 * 3);
    kit_takes_warm(&two, 9 * 3 + 1 + 3);
    kit_takes_warm(&index, 20 * 3);
    kit_takes_warm(&sum, 10 * 4);
    for (unsigned i = 0; i < 4; i++)
        kits[i]->core.load_address = kits[i]->core.load_chase = 1;
    kit_takes_warm(&chase, 19 * 2 + 3);
    kit_takes_warm(&two, 9 * 4 + 1 + 3);
    kit_takes_warm(&index, 20 * 4); /* the first one has an address that was loaded in the run before */
    kit_takes_warm(&sum, 10 * 4);   /* an address that was computed comes as before */
}

Test(model_in_order, an_operand_that_is_not_shifted_may_be_late)
{
    struct kit first = in_order(), second = in_order();
    for (unsigned i = 0; i < 20; i++) {
        kit_op(&first, OP_LOGIC_SHIFT, 0, 0, 31);
        kit_op(&second, OP_LOGIC_SHIFT, 0, 31, 0);
    }
    struct core_class *class = &first.core.classes[OP_LOGIC_SHIFT][0];
    *class = (struct core_class){.uops = 1, .latency = 2, .busy = 1, .ports = 3};
    kit_takes(&first, 40);
    class->late = 1;
    second.core = first.core;
    kit_takes(&first, 20 + 1);
    kit_takes(&second, 40);
}

Test(model_in_order, two_micro_operations_take_two_slots_and_ports)
{
    struct kit kit = in_order();
    kit.core.classes[OP_FP_ADD][1].uops = 2;
    for (unsigned i = 0; i < 10; i++)
        kit_op(&kit, OP_FP_ADD, 40 + i, 32, 33)->wide = true;
    kit_takes(&kit, 9 + 4);
    kit.core.classes[OP_FP_ADD][1].ports = 0x40; /* one after the other on one port */
    kit_takes(&kit, 18 + 1 + 4);
    kit.core.classes[OP_FP_ADD][1] = (struct core_class){.uops = 5, .latency = 1, .busy = 1};
    kit_takes(&kit, 9 * 3 + 3); /* five slots: two cycles and a half; whole instructions begin a cycle */
}

Test(model_in_order, registers_take_turns_and_one_slot)
{
    struct kit kit = in_order();
    struct core_class *class = &kit.core.classes[OP_LOAD_VECTOR][0];
    *class = kit.core.classes[OP_LOAD][0];
    class->each = true;
    for (unsigned i = 0; i < 10; i++) {
        struct op *load = kit_load(&kit, i, 30, KIT_DATA, 8);
        load->op_class = OP_LOAD_VECTOR;
        load->registers = 4;
        kit_op(&kit, OP_ALU, 10 + i, 20, 21);
    }
    uint64_t four = kit_run_warm(&kit);
    class->each = false;
    kit_end(&kit);
    cr_expect_eq(four, kit_run_warm(&kit) + 10 * 3);
    kit_end(&kit);
}

Test(model_in_order, also_ports_take_no_slot)
{
    struct kit kit = in_order();
    kit.core.classes[OP_ALU][0].also_ports = 4;
    for (unsigned i = 0; i < 10; i++)
        kit_op(&kit, OP_ALU, i, 30, 31);
    kit_takes(&kit, 10);
}

Test(model_in_order, a_miss_stalls_its_user_only)
{
    struct kit kit = in_order();
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    for (unsigned i = 0; i < 10; i++)
        kit_op(&kit, OP_ALU, 1 + i, 30, 31);
    kit_op(&kit, OP_ALU, 0, 0, 31);
    cr_expect_eq(kit_run(&kit), 3 + KIT_MISS + 1);
    const struct model_site *sites = model_sites(kit.model);
    /* Issue moved on to 5 with the ALU instructions; the last one waits from there on for memory. */
    cr_expect_eq(sites[11].cycles[MODEL_WAIT_MEMORY], 3 + KIT_MISS - 5);
    cr_expect_eq(sites[0].misses[3], 1);
    cr_expect_eq(sites[0].cycles[MODEL_WAIT_MEMORY], 0);
    kit_end(&kit);
}

Test(model_in_order, outstanding_misses_are_limited)
{
    struct kit kit = in_order();
    for (unsigned i = 0; i < 4; i++)
        kit_load(&kit, i, 30, KIT_DATA + i * 64, 8);
    kit.core.fills = 4;
    kit_takes(&kit, 3 + 3 + KIT_MISS);
    kit.core.fills = 1;
    kit_takes(&kit, 3 + 4 * KIT_MISS);
}

Test(model_in_order, a_full_load_queue_stalls)
{
    struct kit kit = in_order();
    for (unsigned i = 0; i < 4; i++)
        kit_load(&kit, i, 30, KIT_DATA + i * 64, 8);
    kit.core.load_queue = 1; /* each waits for the one before: 0, 103, 206, 309 */
    kit_takes(&kit, 4 * (3 + KIT_MISS));
}

Test(model_in_order, stores_go_on_until_their_buffer_is_full)
{
    struct kit kit = in_order();
    for (unsigned i = 0; i < 4; i++)
        kit_store(&kit, 0, 30, KIT_DATA + i * 64, 8);
    kit_takes(&kit, 4);
    kit.core.store_queue = 2; /* the third waits for the first: 0 + 1 + KIT_MISS; the fourth is next */
    cr_expect_eq(kit_run(&kit), 1 + KIT_MISS + 2);
    cr_expect_eq(model_sites(kit.model)[2].cycles[MODEL_WAIT_STORE], KIT_MISS);
    kit_end(&kit);
}

Test(model_in_order, a_stores_data_may_come_late)
{
    struct kit kit = in_order();
    kit_op(&kit, OP_MUL, 0, 30, 31);
    kit_store(&kit, 0, 30, KIT_DATA, 8);
    kit_op(&kit, OP_ALU, 1, 30, 31);
    kit_op(&kit, OP_ALU, 2, 30, 31);
    /* The store issues in cycle 3 with an ALU instruction, the last one in 4. */
    kit_takes(&kit, 5);
    kit.core.store_data = 2;
    kit_takes(&kit, 3);
}

Test(model_in_order, a_load_takes_a_stores_data)
{
    struct kit kit = in_order();
    kit_op(&kit, OP_ALU, 0, 0, 30);
    kit_store(&kit, 0, 30, KIT_DATA, 8);
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    /* 1 for the addition, 5 through memory, time and again */
    cr_expect_eq(kit_run(&kit), 6);
    cr_expect_eq(kit_again(&kit), 12);
    kit_end(&kit);
}

Test(model_in_order, a_load_with_part_of_its_bytes_waits_for_the_cache)
{
    struct kit kit = in_order();
    kit_store(&kit, 0, 30, KIT_DATA + 4, 4);
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    /* the store is in the cache in cycle 1 + KIT_MISS */
    kit_takes(&kit, 1 + KIT_MISS + 3);
    struct kit beside = in_order();
    kit_store(&beside, 0, 30, KIT_DATA + 4, 4);
    kit_load(&beside, 0, 30, KIT_DATA, 4);
    kit_takes_warm(&beside, 3);
}

Test(model_in_order, an_older_store_is_found_behind_younger_ones)
{
    struct kit kit = in_order();
    kit.core.store_data = 0;
    for (unsigned i = 0; i < 4; i++)
        kit_store(&kit, 0, 30, KIT_DATA + i, 1);
    kit_load(&kit, 0, 30, KIT_DATA, 1);
    /* Cold, so all are under way: the first store's data is there in 0, the load issues in 3 with the last.
     */
    kit_takes(&kit, 3 + 3);
    kit.core.forward = 10;
    kit_takes(&kit, 10);
}

Test(model_in_order, accumulators_come_late)
{
    struct kit chain = in_order(), factor = in_order();
    for (unsigned i = 0; i < 10; i++) {
        struct op *op = kit_op(&chain, OP_FP_FMA, 40, 32, 33);
        kit_reads(op, 40);
        op->accumulator = 2;
        op = kit_op(&factor, OP_FP_FMA, 40, 40, 33);
        kit_reads(op, 41);
        op->accumulator = 2;
    }
    kit_takes(&chain, 9 * 2 + 4);
    kit_takes(&factor, 40);
    struct kit other = in_order(); /* from another class, the accumulator is no earlier */
    kit_op(&other, OP_FP_ADD, 40, 32, 33);
    struct op *op = kit_op(&other, OP_FP_FMA, 40, 32, 33);
    kit_reads(op, 40);
    op->accumulator = 2;
    kit_takes(&other, 8);
}

Test(model_in_order, a_base_register_is_ready_after_an_addition)
{
    struct kit kit = in_order();
    for (unsigned i = 0; i < 10; i++) {
        struct op *op = kit_load(&kit, i, 30, KIT_DATA + i * 4, 4);
        op->writes[op->write_count] = 30;
        op->base_write = op->write_count++;
    }
    kit_takes_warm(&kit, 9 + 3);
    kit.core.base_ports = 4;
    kit_takes_warm(&kit, 9 + 3);
    kit.core.base_uops = 1;
    kit_takes_warm(&kit, 9 + 3);
}

Test(model_in_order, a_mispredict_costs_its_penalty)
{
    struct kit kit = in_order();
    kit_branch(&kit, OP_JUMP_INDIRECT);
    kit_op(&kit, OP_ALU, 0, 0, 1);
    kit_create(&kit);
    uint64_t next = KIT_CODE + 4;
    model_run(kit.model, 0, 1, NULL, next); /* an unknown target */
    model_run(kit.model, 1, 1, NULL, KIT_CODE);
    kit_balance(&kit);
    cr_expect_eq(kit_count(&kit, MODEL_BRANCH_MISSES), 1);
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 8 + 1);
    cr_expect_eq(model_sites(kit.model)[0].cycles[MODEL_WAIT_MISPREDICT], 8);
    cr_expect_eq(kit_count(&kit, MODEL_SLOTS_BAD_SPECULATION), 8 * 2 - 1);
    kit_end(&kit);
}

Test(model_in_order, a_taken_branch_ends_its_fetch_group)
{
    struct kit kit = in_order();
    for (unsigned i = 0; i < 3; i++)
        kit_add(&kit, OP_NOP);
    kit_branch(&kit, OP_JUMP);
    kit_create(&kit);
    for (unsigned i = 0; i < 5; i++) /* the first jump may be unknown */
        model_run(kit.model, 0, 4, NULL, KIT_CODE);
    model_forget_counts(kit.model);
    for (unsigned i = 0; i < 10; i++)
        model_run(kit.model, 0, 4, NULL, KIT_CODE);
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 20);
    kit_end(&kit);
    kit.core.taken_bubble = 3; /* four cycles a group */
    kit_create(&kit);
    for (unsigned i = 0; i < 5; i++)
        model_run(kit.model, 0, 4, NULL, KIT_CODE);
    model_forget_counts(kit.model);
    for (unsigned i = 0; i < 10; i++)
        model_run(kit.model, 0, 4, NULL, KIT_CODE);
    kit_balance(&kit);
    cr_expect_eq(kit_count(&kit, MODEL_CYCLES), 9 * 4 + 2);
    kit_end(&kit);
}

/* Cycles a round of two instructions, of which the second jumps back, from `offset` instructions on. */
static uint64_t rounds_at(unsigned offset, unsigned fetch_block)
{
    struct kit kit = in_order();
    kit.core.fetch_block = (uint8_t)fetch_block;
    for (unsigned i = 0; i <= offset; i++)
        kit_add(&kit, OP_NOP);
    kit_branch(&kit, OP_JUMP);
    kit_create(&kit);
    for (unsigned round = 0; round < 25; round++) {
        if (round == 5)
            model_forget_counts(kit.model);
        model_run(kit.model, offset, 2, NULL, KIT_CODE + 4 * offset);
    }
    kit_balance(&kit);
    const uint64_t cycles = kit_count(&kit, MODEL_CYCLES);
    kit_end(&kit);
    return (cycles + 10) / 20;
}

Test(model_in_order, a_fetch_group_ends_with_its_block)
{
    for (unsigned offset = 0; offset < 16; offset++) {
        cr_expect_eq(rounds_at(offset, 0), 1, "offset %u, no blocks", offset);
        cr_expect_eq(rounds_at(offset, 4), 2, "offset %u, blocks of one instruction", offset);
        cr_expect_eq(rounds_at(offset, 16), offset % 4 == 3 ? 2 : 1, "offset %u, blocks of 16", offset);
        cr_expect_eq(rounds_at(offset, 32), offset % 8 == 7 ? 2 : 1, "offset %u, blocks of 32", offset);
    }
}

/* Rounds of `jumps` jumps, each behind the one before, and the last one back; cycles a round, but for the
 * first ones. */
static uint64_t rounds_of_jumps(unsigned jumps, unsigned near_targets)
{
    struct kit kit = in_order();
    kit.core.taken_bubble = 3;
    kit.core.near_targets = (uint8_t)near_targets;
    for (unsigned i = 0; i < 2 * jumps; i++) {
        if (i % 2)
            kit_add(&kit, OP_NOP);
        else
            kit_branch(&kit, OP_JUMP);
    }
    kit_create(&kit);
    for (unsigned round = 0; round < 25; round++) {
        if (round == 5)
            model_forget_counts(kit.model);
        for (unsigned i = 0; i < jumps; i++)
            model_run(kit.model, 2 * i, 1, NULL, KIT_CODE + 8 * ((i + 1) % jumps));
    }
    kit_balance(&kit);
    uint64_t cycles = kit_count(&kit, MODEL_CYCLES);
    kit_end(&kit);
    return (cycles + 10) / 20;
}

Test(model_in_order, near_targets_have_no_bubble)
{
    cr_expect_eq(rounds_of_jumps(1, 0), 4);
    cr_expect_eq(rounds_of_jumps(1, 1), 1);
    cr_expect_eq(rounds_of_jumps(4, 4), 4);
    cr_expect_eq(rounds_of_jumps(4, 3), 16, "the one that is next has left");
}

Test(model_in_order, isb_refills_the_pipeline)
{
    struct kit kit = in_order();
    kit_op(&kit, OP_MUL, 0, 0, 1);
    kit_barrier(&kit, OP_ORDER_CONTEXT);
    kit_op(&kit, OP_ALU, 1, 1, 2);
    /* Complete in 3, fetched and issued 8 later; of these 11 cycles the first is the pair's own. */
    cr_expect_eq(kit_run(&kit), 3 + 8 + 1);
    cr_expect_eq(model_sites(kit.model)[1].cycles[MODEL_WAIT_ORDER], 10);
    kit_end(&kit);
}

Test(model_in_order, barriers_wait_for_memory)
{
    struct kit kit = in_order();
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    kit_barrier(&kit, OP_ORDER_ALL);
    kit_op(&kit, OP_ALU, 1, 1, 2);
    kit_takes(&kit, 3 + KIT_MISS + 1);
    kit.ops[1].order = OP_ORDER_MEMORY; /* the ALU instruction does not wait */
    kit_takes(&kit, 3 + KIT_MISS);
    kit_store(&kit, 1, 30, KIT_DATA + 64, 8);
    kit_takes(&kit, 3 + KIT_MISS + 1);
}

Test(model_in_order, a_counter_is_read_when_it_issues)
{
    struct kit kit = in_order();
    kit_load(&kit, 0, 30, KIT_DATA, 8);
    kit_op(&kit, OP_ALU, 1, 1, 2);
    kit_op(&kit, OP_ALU, 1, 1, 2);
    kit_add(&kit, OP_COUNTER_READ);
    kit_run(&kit);
    cr_expect_eq(model_observe(kit.model, MODEL_CYCLES), 1);
    cr_expect_eq(model_observe(kit.model, MODEL_INSTRUCTIONS), 3);
    cr_expect_eq(model_observe(kit.model, MODEL_LOADS), 1);
    cr_expect_eq(model_observe(kit.model, MODEL_SLOTS_RETIRING), 4);
    kit_end(&kit);
    kit_barrier(&kit, OP_ORDER_CONTEXT);
    kit_add(&kit, OP_COUNTER_READ);
    kit_run(&kit);
    cr_expect_eq(model_observe(kit.model, MODEL_CYCLES), 3 + KIT_MISS + 8);
    kit_end(&kit);
}
