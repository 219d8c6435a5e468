#include "harness/model/tests/model_kit.h"
#include "harness/model/timeline.h"
#include "harness/base/rng.h"

#include <string.h>

/* ---- names ---- */

Test(model, every_event_wait_and_class_has_a_name)
{
    for (unsigned i = 0; i < MODEL_EVENT_COUNT; i++)
        cr_expect_neq(model_event_name(i), NULL);
    for (unsigned i = 0; i < MODEL_WAIT_COUNT; i++)
        cr_expect_neq(model_wait_name(i), NULL);
    for (unsigned i = 0; i < OP_CLASS_COUNT; i++)
        cr_expect_neq(op_class_name(i), NULL);
    cr_expect_str_eq(model_event_name(MODEL_L1D_MISSES), "l1d-misses");
    cr_expect_str_eq(model_wait_name(MODEL_WAIT_LLC), "llc");
    cr_expect_str_eq(op_class_name(OP_FP_FMA), "fp-fma");
    cr_expect_null(model_event_name(MODEL_EVENT_COUNT));
    cr_expect_null(model_wait_name(MODEL_WAIT_COUNT));
    cr_expect_null(op_class_name(OP_CLASS_COUNT));
}

/* ---- what makes no sense ---- */

static void refused(const struct kit *kit, const char *word)
{
    struct error err = {""};
    cr_expect_null(model_create(&kit->core, NULL, kit->ops, kit->count, &err));
    cr_expect(strstr(err.text, word), "expected \"%s\" in \"%s\"", word, err.text);
}

Test(model, a_core_without_sense_is_refused)
{
    struct kit good = {.core = kit_core(CORE_OUT_OF_ORDER)};
    kit_add(&good, OP_NOP);
    struct kit kit = good;
    kit.core.width = 0;
    refused(&kit, "width");
    kit = good;
    kit.core.window = 3;
    refused(&kit, "window");
    kit = good;
    kit.core.kind = (enum core_kind)7;
    refused(&kit, "kind");
    kit = good;
    kit.core.load_queue = 0;
    refused(&kit, "load-queue");
    kit = good;
    kit.core.classes[OP_MUL][1].ports = 0x100;
    refused(&kit, "mul");
    kit = good;
    kit.core.classes[OP_MUL][0].accumulate = 4;
    refused(&kit, "accumulate");
    kit = good;
    kit.core.window = 4;
    kit.core.classes[OP_NOP][0].uops = 5;
    refused(&kit, "micro-operations");
    kit = good;
    kit.core.fills = 0;
    refused(&kit, "fills");
}

Test(model, a_program_without_sense_is_refused)
{
    struct kit good = {.core = kit_core(CORE_IN_ORDER)};
    refused(&good, "no instructions");
    kit_add(&good, OP_NOP);
    kit_add(&good, OP_NOP);
    struct kit kit = good;
    kit.ops[1].address += 4;
    refused(&kit, "0x1008");
    kit = good;
    kit.ops[1].op_class = OP_CLASS_COUNT;
    refused(&kit, "0x1004");
    kit = good;
    kit.ops[1].read_count = 1;
    kit.ops[1].reads[0] = OP_REGISTERS;
    refused(&kit, "0x1004");
    kit = good;
    kit.ops[1].write_count = 1;
    kit.ops[1].writes[0] = OP_NONE;
    refused(&kit, "0x1004");
    model_destroy(NULL);
}

/* ---- instruction cache ---- */

Test(model, code_is_fetched_by_lines)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        struct kit kit = {.core = kit_core(kind)};
        kit.core.l1i = (struct core_cache){4096, 4, 0};
        for (unsigned i = 0; i < 32; i++)
            kit_add(&kit, OP_NOP);
        uint64_t cold = kit_run(&kit);
        cr_expect_eq(kit_count(&kit, MODEL_L1I_ACCESSES), 2);
        cr_expect_eq(kit_count(&kit, MODEL_L1I_MISSES), 2);
        cr_expect_gt(model_sites(kit.model)[16].cycles[MODEL_WAIT_FETCH], 90);
        model_forget_counts(kit.model);
        uint64_t warm = kit_again(&kit);
        /* The second line is asked for in the cycle before it is needed. */
        cr_expect_eq(cold, warm + 2 * KIT_MISS - 1);
        cr_expect_eq(kit_count(&kit, MODEL_L1I_MISSES), 0);
        kit_end(&kit);
    }
}

/* ---- any program ---- */

static unsigned any(struct rng *rng, unsigned bound)
{
    return (unsigned)rng_below(rng, bound);
}

static void random_core(struct rng *rng, struct core *core)
{
    core->width = (uint8_t)(1 + any(rng, 6));
    core->fetch = (uint8_t)(1 + any(rng, 8));
    core->fetch_block = (uint8_t)(any(rng, 2) ? 4u << any(rng, 4) : 0);
    core->fetch_queue = (uint8_t)any(rng, 32);
    core->taken_bubble = (uint8_t)any(rng, 3);
    core->near_targets = (uint8_t)any(rng, 4);
    core->forward_part = (uint8_t)any(rng, 16);
    core->commit = (uint8_t)(1 + any(rng, 8));
    core->window = (uint16_t)(core->width + any(rng, 200));
    core->load_queue = (uint16_t)(1 + any(rng, 40));
    core->store_queue = (uint16_t)(1 + any(rng, 40));
    core->mispredict = (uint8_t)any(rng, 20);
    core->forward = (uint8_t)any(rng, 8);
    core->forward_pair = (uint8_t)any(rng, 16);
    core->load_address = (uint8_t)any(rng, 3);
    core->load_chase = (uint8_t)any(rng, 3);
    core->halves = (uint8_t)any(rng, 2);
    core->store_data = (uint8_t)any(rng, 4);
    core->base_uops = (uint8_t)any(rng, 2);
    core->base_ports = (uint16_t)any(rng, 4);
    core->fills = (uint8_t)(1 + any(rng, 10));
    core->l1i = (struct core_cache){1024, 2, 0};
    core->l2 = (struct core_cache){16384, 4, 12};
    core->llc = (struct core_cache){65536, 8, 40};
    core->tlb.entries = 8;
    core->tlb.walk = 30;
    static const uint8_t behind[CORE_QUEUES] = {0xff, 0x0f, 0x30, 0xc0}; /* ports behind a queue */
    bool queues = any(rng, 2);
    for (unsigned queue = 1; queues && queue < CORE_QUEUES; queue++) {
        core->queue[queue] =
            (uint8_t)(any(rng, 4) ? 5 + any(rng, 20) : 0); /* 5: the most of an instruction */
        for (unsigned port = 0; port < core->port_count; port++)
            core->port_queue[port] = (behind[queue] >> port & 1) ? (uint8_t)queue : core->port_queue[port];
    }
    for (unsigned i = 0; i < OP_CLASS_COUNT * 2; i++) {
        struct core_class *class = &core->classes[i / 2][i % 2];
        class->uops = (uint8_t)(any(rng, 8) ? 1 : any(rng, 4));
        class->uops = class->uops > core->width ? core->width : class->uops;
        class->latency = (uint8_t)(1 + any(rng, any(rng, 8) ? 5 : 40));
        class->accumulate = (uint8_t)(any(rng, 2) ? class->latency / 2 : 0);
        class->busy = (uint8_t)(any(rng, 8) ? 1 : any(rng, 20));
        class->first = any(rng, 8) == 0;
        class->serial = any(rng, 8) == 0;
        class->digit = (uint8_t)any(rng, 4);
        class->most = (uint8_t)(class->digit ? class->latency + any(rng, 20) : 0);
        class->late = (uint8_t)any(rng, 4);
        class->more_slots = (uint8_t)(any(rng, 8) ? 0 : any(rng, 3));
        class->more_slots = class->uops + class->more_slots > core->width ? 0 : class->more_slots;
        class->ports = (uint16_t)(any(rng, 256) & behind[queues ? 1 + any(rng, CORE_QUEUES - 1) : 0]);
        class->also_ports = (uint16_t)(any(rng, 4) ? 0 : any(rng, 256));
        class->also_ports &= behind[queues ? 1 + any(rng, CORE_QUEUES - 1) : 0];
    }
}

static void random_op(struct rng *rng, struct kit *kit)
{
    struct op *op = kit_add(kit, any(rng, OP_CLASS_COUNT));
    op->wide = any(rng, 2);
    op->read_count = (uint8_t)any(rng, OP_READS + 1);
    op->write_count = (uint8_t)any(rng, OP_WRITES + 1);
    for (unsigned i = 0; i < op->read_count; i++)
        op->reads[i] = (uint8_t)any(rng, 16);
    for (unsigned i = 0; i < op->write_count; i++)
        op->writes[i] = (uint8_t)any(rng, 16);
    op->address_reads = (uint8_t)any(rng, 256);
    op->half = op->wide && any(rng, 4) == 0;
    op->kept_half = (uint8_t)(any(rng, 4) ? 0 : 1U << any(rng, OP_READS));
    op->accumulator = any(rng, 3) ? OP_NONE : (uint8_t)any(rng, OP_READS);
    op->memory = any(rng, 2) ? OP_NO_MEMORY : (uint8_t)any(rng, OP_MEMORY_PREFETCH + 1);
    if (op->memory != OP_NO_MEMORY) {
        op->base_write = any(rng, 3) ? OP_NONE : (uint8_t)any(rng, OP_WRITES);
        op->bytes = (uint16_t)(1u << any(rng, 7));
    } else if (any(rng, 5) == 0) {
        op->branch = (uint8_t)(1 + any(rng, OP_RETURN));
    } else if (any(rng, 5) == 0) {
        op->quotient = (uint8_t)(1 + any(rng, 64));
    } else if (any(rng, 20) == 0) {
        op->order = (uint8_t)any(rng, OP_ORDER_SERIAL + 1);
    }
}

/* `steps` instructions from the first one on, in blocks cut at will. */
static void random_walk(struct kit *kit, uint64_t seed, unsigned steps, uint64_t cut_seed)
{
    struct rng rng = {seed}, cuts = {cut_seed};
    uint32_t at = 0;
    while (steps > 0) {
        uint64_t addresses[KIT_OPS];
        uint32_t begin = at, next = 0;
        unsigned used = 0, count = 0;
        bool end = false;
        while (!end) {
            const struct op *op = &kit->ops[at];
            if (op->quotient)
                addresses[used++] = any(&rng, op->quotient + 1u);
            if (op->memory != OP_NO_MEMORY)
                addresses[used++] = KIT_DATA + (any(&rng, 2) ? any(&rng, 256) : any(&rng, 200000));
            bool jumps = op->branch != OP_NO_BRANCH && (op->branch != OP_CONDITIONAL || any(&rng, 2));
            next = jumps || at + 1 == kit->count ? any(&rng, (unsigned)kit->count) : at + 1;
            count++;
            end = op->branch != OP_NO_BRANCH || next != at + 1 || --steps == 0 ||
                  (cut_seed && any(&cuts, 4) == 0);
            at = end ? at : next;
        }
        model_run(kit->model, begin, count, addresses, KIT_CODE + 4 * (uint64_t)next);
        steps -= steps > 0;
        at = next;
    }
}

static void any_program(unsigned seed)
{
    struct rng rng = {seed};
    struct kit kit = {.core = kit_core(seed % 2)};
    random_core(&rng, &kit.core);
    unsigned count = 10 + any(&rng, 60);
    for (unsigned i = 0; i < count; i++)
        random_op(&rng, &kit);
    kit_create(&kit);
    struct model_counts counts, again;
    random_walk(&kit, seed, 3000, 0);
    kit_balance(&kit);
    model_count(kit.model, &counts);
    cr_expect_geq(counts.value[MODEL_CYCLES] * kit.core.width, counts.value[MODEL_UOPS]);

    kit_end(&kit);
    kit_create(&kit);
    random_walk(&kit, seed, 3000, 0);
    model_count(kit.model, &again);
    cr_expect_arr_eq(counts.value, again.value, sizeof counts.value, "the same again");

    model_forget_counts(kit.model);
    kit_balance(&kit);
    random_walk(&kit, seed + 1, 1000, 0);
    kit_balance(&kit);
    kit_end(&kit);
}

Test(model, accounts_add_up_for_any_program)
{
    for (unsigned seed = 1; seed <= 40; seed++)
        any_program(seed);
}

/* What somebody who looks is told. */
struct seen {
    const struct kit *kit;
    uint64_t count, last_commit, cycles, mispredicts;
    uint64_t charged[KIT_OPS][MODEL_WAIT_COUNT];
};

static void see(void *context, const struct timeline_step *step)
{
    struct seen *seen = context;
    const struct core *core = &seen->kit->core;
    bool in_order = core->kind == CORE_IN_ORDER;
    cr_expect_leq(step->fetch, step->dispatch);
    cr_expect_leq(step->dispatch + !in_order, step->issue);
    cr_expect_leq(step->issue, step->complete);
    cr_expect_leq(step->complete, step->commit + in_order);
    cr_expect(in_order || step->commit >= seen->last_commit, "committed in order");
    cr_expect_gt(step->cycles, step->commit);
    cr_expect(in_order || step->cycles == step->commit + 1);
    seen->last_commit = step->commit;
    seen->cycles = step->cycles;
    seen->count++;
    seen->mispredicts += step->mispredicted;
    for (unsigned i = 0; i < step->charge_count; i++)
        seen->charged[step->charge[i].site][step->charge[i].wait] += step->charge[i].cycles;
}

/* What is charged while somebody looks is in the accounts; so are the last cycles, which two of them share.
 */
static void expect_accounts(const struct kit *kit, const struct seen *seen)
{
    const struct model_site *sites = model_sites(kit->model);
    uint64_t charged = 0, rest = 0;
    unsigned others = 0;
    for (size_t i = 0; i < kit->count; i++)
        for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++) {
            cr_assert_geq(sites[i].cycles[wait], seen->charged[i][wait]);
            charged += seen->charged[i][wait];
            rest += sites[i].cycles[wait] - seen->charged[i][wait];
            others += sites[i].cycles[wait] != seen->charged[i][wait];
        }
    cr_expect_leq(others, 2);
    cr_expect_eq(charged + rest, kit_count(kit, MODEL_CYCLES));
}

Test(model, whoever_looks_changes_nothing_and_is_told_all)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        struct rng rng = {seed};
        struct kit kit = {.core = kit_core(seed % 2)};
        random_core(&rng, &kit.core);
        for (unsigned i = 10 + any(&rng, 60); i > 0; i--)
            random_op(&rng, &kit);
        kit_create(&kit);
        struct model_site alone[KIT_OPS];
        struct model_counts counts, seen_counts;
        random_walk(&kit, seed + 1, 500, 0);
        model_forget_counts(kit.model);
        random_walk(&kit, seed, 2000, 0);
        model_count(kit.model, &counts);
        memcpy(alone, model_sites(kit.model), kit.count * sizeof *alone);

        struct seen seen = {.kit = &kit};
        kit_end(&kit);
        kit_create(&kit);
        random_walk(&kit, seed + 1, 500, 0);
        model_forget_counts(kit.model);
        model_timeline(kit.model, see, &seen);
        random_walk(&kit, seed, 2000, 0);
        model_timeline(kit.model, NULL, NULL);
        model_count(kit.model, &seen_counts);
        cr_expect_arr_eq(counts.value, seen_counts.value, sizeof counts.value, "seed %u", seed);
        cr_expect_arr_eq(alone, model_sites(kit.model), kit.count * sizeof *alone, "seed %u", seed);
        cr_expect_eq(seen.count, counts.value[MODEL_INSTRUCTIONS]);
        cr_expect_eq(seen.mispredicts, counts.value[MODEL_BRANCH_MISSES]);
        cr_expect_eq(seen.cycles, counts.value[MODEL_CYCLES]);
        expect_accounts(&kit, &seen);
        kit_end(&kit);
    }
}

/* A straight run, whole and in pieces. */
Test(model, how_blocks_are_cut_does_not_matter)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        struct rng rng = {seed};
        struct kit kit = {.core = kit_core(seed % 2)};
        random_core(&rng, &kit.core);
        for (unsigned i = 0; i < 60; i++) {
            random_op(&rng, &kit);
            kit.ops[i].branch = OP_NO_BRANCH;
        }
        for (unsigned i = 0; i < 60; i++)
            kit.addresses[i] = KIT_DATA + any(&rng, 4000);
        kit_create(&kit);
        struct model_counts whole, pieces;
        for (unsigned round = 0; round < 10; round++)
            model_run(kit.model, 0, 60, kit.addresses, KIT_CODE);
        model_count(kit.model, &whole);
        kit_end(&kit);
        kit_create(&kit);
        for (unsigned round = 0; round < 10; round++) {
            const uint64_t *address = kit.addresses;
            for (uint32_t at = 0; at < 60;) {
                uint32_t piece = 1 + any(&rng, 60 - at);
                model_run(kit.model, at, piece, address, KIT_CODE + 4 * (uint64_t)((at + piece) % 60));
                for (uint32_t end = at + piece; at < end; at++)
                    address += op_is_told(&kit.ops[at]);
            }
        }
        kit_balance(&kit);
        model_count(kit.model, &pieces);
        cr_expect_arr_eq(whole.value, pieces.value, sizeof whole.value, "seed %u", seed);
        kit_end(&kit);
    }
}

/* Where the time goes is told by name: the model's own explanation of a few loops. */
static uint64_t total_wait(const struct kit *kit, enum model_wait wait)
{
    const struct model_site *sites = model_sites(kit->model);
    uint64_t cycles = 0;
    for (size_t i = 0; i < kit->count; i++)
        cycles += sites[i].cycles[wait];
    return cycles;
}

static void loop(struct kit *kit, unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++)
        model_run(kit->model, 0, (uint32_t)kit->count, kit->addresses, KIT_CODE);
    kit_balance(kit);
}

Test(model, a_loop_names_what_it_waits_for)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        struct kit chain = {.core = kit_core(kind)}, port = chain, width = chain, chase = chain;
        kit_op(&chain, OP_FP_ADD, 40, 40, 41);
        kit_load(&chain, 41, 30, KIT_DATA, 8);
        kit_create(&chain);
        loop(&chain, 1000);
        cr_expect_gt(total_wait(&chain, MODEL_WAIT_OPERAND) * 10, kit_count(&chain, MODEL_CYCLES) * 7);
        kit_end(&chain);

        kit_op(&port, OP_MUL, 1, 30, 31);
        kit_op(&port, OP_MUL, 2, 30, 31);
        kit_op(&port, OP_ALU, 3, 1, 2);
        kit_create(&port);
        loop(&port, 1000);
        if (kind == CORE_OUT_OF_ORDER) {
            cr_expect_gt(total_wait(&port, MODEL_WAIT_PORT) * 10, kit_count(&port, MODEL_CYCLES) * 8);
        }
        kit_end(&port);

        for (unsigned i = 0; i < 8; i++)
            kit_add(&width, OP_NOP);
        kit_create(&width);
        loop(&width, 1000);
        cr_expect_gt(total_wait(&width, MODEL_WAIT_WIDTH) * 10, kit_count(&width, MODEL_CYCLES) * 9);
        cr_expect_gt(kit_count(&width, MODEL_SLOTS_RETIRING) * 10,
                     kit_count(&width, MODEL_CYCLES) * width.core.width * 9);
        kit_end(&width);

        kit_load(&chase, 30, 30, KIT_DATA, 8);
        kit_create(&chase);
        for (unsigned i = 0; i < 200; i++) {
            uint64_t address = KIT_DATA + i * 4096;
            model_run(chase.model, 0, 1, &address, KIT_CODE);
        }
        kit_balance(&chase);
        cr_expect_gt(total_wait(&chase, MODEL_WAIT_MEMORY) * 10, kit_count(&chase, MODEL_CYCLES) * 9);
        kit_end(&chase);
    }
}

/* What has no place for its miss holds up who issued it, be it asked for or not. */
Test(model, a_prefetch_waits_for_a_place_as_a_load_does)
{
    enum { LINES = 100 };
    static const struct {
        enum op_class op_class;
        enum op_memory memory;
    } kinds[] = {{OP_LOAD, OP_MEMORY_LOAD}, {OP_PREFETCH, OP_MEMORY_PREFETCH}};
    for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++)
        for (unsigned i = 0; i < 2; i++) {
            struct kit kit = {.core = kit_core(kind)};
            kit.core.fills = 1;
            for (unsigned line = 0; line < LINES; line++) {
                struct op *op = kit_load(&kit, 1, 0, KIT_DATA + line * 64, 4);
                op->op_class = (uint8_t)kinds[i].op_class;
                op->memory = (uint8_t)kinds[i].memory;
                op->write_count = kinds[i].memory == OP_MEMORY_LOAD;
            }
            const uint64_t cycles = kit_run(&kit);
            cr_expect_geq(cycles, (LINES - 1) * KIT_MISS, "kind %d, %u: %lu cycles", (int)kind, i,
                          (unsigned long)cycles);
            kit_end(&kit);
        }
}

/* A pipe has such an access twice. */
Test(model, an_access_across_a_line_takes_its_port_twice)
{
    enum { ACCESSES = 100, EACH = 16 };
    for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++)
        for (unsigned store = 0; store < 2; store++) {
            uint64_t cycles[3];
            for (unsigned shift = 0; shift < 3; shift++) { /* none across, none across, every fourth */
                struct kit kit = {.core = kit_core(kind)};
                kit.core.l1d = (struct core_cache){1 << 16, 4, 0};
                for (unsigned i = 0; i < ACCESSES; i++) {
                    const uint64_t address = KIT_DATA + i * EACH + (shift ? 8 : 0);
                    const unsigned bytes = shift == 1 ? EACH / 2 : EACH;
                    if (store)
                        kit_store(&kit, 1, 0, address, bytes);
                    else
                        kit_load(&kit, 1, 0, address, bytes);
                }
                cycles[shift] = kit_run_warm(&kit);
                kit_end(&kit);
            }
            cr_expect_eq(cycles[1], cycles[0]);
            const uint64_t more = cycles[2] - cycles[0];
            /* some of which pass while the first stores wait for those of the run before */
            cr_expect(more >= ACCESSES / 6 && more <= ACCESSES / 4 + 2, "kind %d, %u: %lu more than %lu",
                      (int)kind, store, (unsigned long)more, (unsigned long)cycles[0]);
        }
}
