/* A load of what several stores have under way: it waits for all of them. */
#include "harness/model/tests/model_kit.h"

enum { LATE = 16, STORES = 8, VALUE = 1, BASE = 2, LOADED = 3 };

/* Stores one after the other, and a load of `bytes` in `registers` at KIT_DATA. The data of the store number
 * `late` are there in cycle LATE, those of the others at once. */
struct stores {
    const char *text;
    unsigned count, late;
    struct {
        unsigned at, bytes;
    } store[STORES];
    unsigned registers, bytes;
    bool waits;
};

static const struct stores rows[] = {
    {"each register from its store, the older one late", 2, 0, {{0, 8}, {8, 8}}, 2, 16, true},
    {"each register from its store, the younger one late", 2, 1, {{0, 8}, {8, 8}}, 2, 16, true},
    {"the same the other way round", 2, 0, {{8, 8}, {0, 8}}, 2, 16, true},
    {"the younger one has the register beside it only", 2, 0, {{0, 16}, {8, 8}}, 2, 16, true},
    {"the younger one has all", 2, 0, {{0, 8}, {0, 16}}, 2, 16, false},
    {"the younger ones have all", 3, 0, {{0, 16}, {0, 8}, {8, 8}}, 2, 16, false},
    {"another line", 2, 0, {{64, 16}, {0, 16}}, 2, 16, false},
    {"one register from two stores", 2, 0, {{0, 4}, {4, 4}}, 1, 8, true},
    {"a vector from two stores", 2, 0, {{0, 8}, {8, 8}}, 1, 16, true},
    {"a pair of vectors from three", 3, 1, {{0, 16}, {16, 8}, {24, 8}}, 2, 32, true},
    {"a pair of vectors, one from the cache", 1, 0, {{16, 16}}, 2, 32, true},
    {"a pair of words is one access", 2, 0, {{0, 4}, {4, 4}}, 2, 8, true},
    {"bytes of a register",
     8,
     0,
     {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}},
     1,
     8,
     true},
    {"four registers, each from its store", 4, 0, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, 4, 64, true},
    {"four registers from a store of a line, one overwritten", 2, 0, {{0, 64}, {16, 16}}, 4, 64, true},
    {"a byte amid them", 2, 0, {{0, 64}, {17, 1}}, 4, 64, true},
    {"a late byte before the youngest", 2, 0, {{15, 1}, {0, 8}}, 2, 16, true},
    {"across a granule", 2, 0, {{4, 8}, {12, 8}}, 2, 16, true},
};

static uint64_t load_cycle(struct kit *kit)
{
    kit_run_warm(kit);
    uint64_t cycle = model_observe(kit->model, MODEL_CYCLES);
    kit_end(kit);
    return cycle;
}

static struct kit late_kit(enum core_kind kind)
{
    struct kit kit = {.core = kit_core(kind)};
    kit.core.classes[OP_DIV][0].latency = LATE;
    kit.core.forward_part = 9;
    kit.core.store_data = LATE; /* in order: nothing waits behind a store */
    kit_load(&kit, LOADED, BASE, KIT_DATA, 8);
    kit_load(&kit, LOADED, BASE, KIT_DATA + 64, 8);
    kit_op(&kit, OP_DIV, VALUE, BASE, BASE);
    return kit;
}

Test(model_stores, a_load_waits_for_each_of_them)
{
    for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct kit kit = late_kit(kind);
            for (unsigned n = 0; n < rows[i].count; n++)
                kit_store(&kit, n == rows[i].late ? VALUE : BASE, BASE, KIT_DATA + rows[i].store[n].at,
                          rows[i].store[n].bytes);
            kit_load(&kit, LOADED, BASE, KIT_DATA, rows[i].bytes)->registers = (uint8_t)rows[i].registers;
            kit_op(&kit, OP_ALU, LOADED, LOADED, BASE);
            uint64_t cycle = load_cycle(&kit);
            cr_expect(rows[i].waits ? cycle >= LATE : cycle < LATE, "%s, %s: cycle %lu", rows[i].text,
                      kind == CORE_IN_ORDER ? "in order" : "out of order", (unsigned long)cycle);
        }
}

/* It may fail, and what was stored before stays. */
Test(model_stores, a_store_exclusive_may_leave_what_was_there)
{
    for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++)
        for (unsigned status = 0; status < 2; status++) {
            struct kit kit = late_kit(kind);
            kit_store(&kit, VALUE, BASE, KIT_DATA, 8);
            struct op *exclusive = kit_store(&kit, BASE, BASE, KIT_DATA, 8);
            exclusive->op_class = OP_EXCLUSIVE;
            exclusive->writes[exclusive->write_count++] = LOADED + 1;
            kit_load(&kit, LOADED, BASE, KIT_DATA, 8);
            kit_op(&kit, OP_ALU, LOADED, status ? LOADED + 1 : LOADED, BASE);
            cr_expect_geq(load_cycle(&kit), (uint64_t)LATE);
        }
}

/* What an update leaves there depends on what it found. */
Test(model_stores, an_update_hands_on_what_it_found)
{
    for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++) {
        struct kit kit = late_kit(kind);
        kit_store(&kit, VALUE, BASE, KIT_DATA, 8);
        struct op *update = kit_load(&kit, LOADED + 1, BASE, KIT_DATA, 8);
        update->op_class = OP_ATOMIC;
        update->memory = OP_MEMORY_UPDATE;
        kit_load(&kit, LOADED, BASE, KIT_DATA, 8);
        kit_op(&kit, OP_ALU, LOADED, LOADED, BASE);
        cr_expect_geq(load_cycle(&kit), (uint64_t)LATE);
    }
}

/* What reads all that came before, and what all that follows depends on. */
Test(model_stores, a_serial_instruction_waits_and_is_waited_for)
{
    for (enum core_kind kind = CORE_IN_ORDER; kind <= CORE_OUT_OF_ORDER; kind++) {
        struct kit kit = late_kit(kind);
        kit_op(&kit, OP_ALU, LOADED, BASE, BASE)->order = OP_ORDER_SERIAL;
        kit_op(&kit, OP_ALU, LOADED, LOADED, BASE);
        cr_expect_geq(load_cycle(&kit), (uint64_t)LATE);
        kit.count -= 2;
        kit_op(&kit, OP_ALU, LOADED, VALUE, VALUE)->order = OP_ORDER_SERIAL;
        kit_op(&kit, OP_ALU, LOADED, BASE, BASE); /* reads nothing late */
        cr_expect_geq(load_cycle(&kit), (uint64_t)LATE);
    }
}
