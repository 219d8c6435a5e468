/* The core files held against what was published of the cores: for each kind of instruction a chain, in which
 * each needs the result before it, and a stream of independent ones, run through decoder and model. The
 * figures stand here a second time, apart from harness/model/cores, so that a slip there is seen.
 *
 * Sources: for Cortex-A72, Neoverse N1 and Neoverse V1 the result files of ocxtal/insn_bench_aarch64
 * (LX2160A, Graviton2, Graviton3), for flags lelegard/arm-instruction-time; for Cortex-A55 Arm's Software
 * Optimization Guide as LLVM and SLOTHY cite it, and where that is silent the Cortex-A53 of the same result
 * files. Memory: Arm's learning path on pointer-chase latency (Graviton2). */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include "grader/core/core_file.h"
#include "harness/emu/decode.h"
#include "harness/model/model.h"
#include "harness/base/rng.h"

enum { A55, A72, N1, V1, CORES };
static const char *const names[CORES] = {"cortex-a55", "cortex-a72", "neoverse-n1", "neoverse-v1"};

/* In thousandths of a cycle, and of an instruction a cycle; 0: nothing is known, or nothing to chain. */
static const struct row {
    const char *says;
    uint32_t word; /* such an instruction: its class is the decoder's */
    int latency[CORES];
    int accumulate[CORES];
    int per_cycle[CORES];
} rows[] = {
    {"NOP", 0xd503201f, {0}, {0}, {1990, 1000, 4000, 10900}},
    {"ADD", 0x8b020020, {1000, 1000, 1000, 1000}, {0}, {2000, 2000, 3000, 4000}},
    {"ADDS", 0xab020020, {0}, {0}, {2000, 2000, 3000, 2980}},
    /* A55: through the operand that is not shifted; the shifted one takes 2 */
    {"ADD lsl #2", 0x8b020820, {1000, 2000, 1000, 1000}, {0}, {2000, 1000, 3000, 4000}},
    {"ADD lsl #17", 0x8b024420, {1000, 2000, 2000, 2000}, {0}, {2000, 1000, 1000, 2000}},
    {"ADDS lsl #2", 0xab020820, {1000, 2000, 1000, 1000}, {0}, {2000, 1000, 3000, 2980}},
    {"AND lsl #17", 0x8a024420, {1000, 2000, 1000, 1000}, {0}, {2000, 1000, 3000, 4000}},
    {"ANDS lsl #2", 0xea020820, {1000, 2000, 2000, 2000}, {0}, {2000, 1000, 1000, 2000}},
    {"BICS lsl #4", 0xea221020, {1000, 2000, 2000, 2000}, {0}, {2000, 1000, 1000, 2000}},
    {"MUL x", 0x9b027c20, {3000, 5000, 4000, 2000}, {0}, {1000, 333, 333, 2000}},
    {"MADD x", 0x9b020c20, {3000, 5000, 4000, 2000}, {0}, {1000, 333, 333, 1000}},
    {"UMULL", 0x9ba27c20, {3000, 3000, 2000, 2000}, {0}, {1000, 1000, 1000, 2000}},
    {"UMULH", 0x9bc27c20, {6000, 6000, 5250, 3000}, {0}, {250, 250, 250, 2000}},
    {"UDIV", 0x9ac20820, {3000, 4000, 5000, 5000}, {0}, {333, 250, 200, 200}},
    /* LLVM's files; A55 as a shift, A72 said of 64 bits */
    {"ROR", 0x93c11c20, {2000, 1000, 1000, 1000}, {0}, {2000, 2000, 3000, 4000}},
    {"EXTR", 0x93c21c20, {2000, 3000, 3000, 3000}, {0}, {2000, 1000, 3000, 2000}},
    {"INS", 0x4e0c1c20, {4000, 8000, 5000, 5000}, {0}, {2000, 1000, 1000, 1000}},
    /* LLVM's files; of A72 the A57's */
    {"FCVTZS x, d", 0x9e780020, {3000, 10000, 4000, 3000}, {0}, {2000, 1000, 1000, 1000}},
    /* A55: LLVM's file */
    {"SCVTF d, x", 0x9e620020, {4000, 8300, 6000, 3000}, {0}, {2000, 1000, 1000, 1000}},
    {"CSINC", 0x9a820420, {1000, 1000, 1000, 1000}, {0}, {2000, 1000, 3000, 4000}},
    {"CSINV", 0xda820020, {1000, 1000, 1000, 1000}, {0}, {2000, 2000, 3000, 4000}},
    {"ADC", 0x9a020020, {1000, 1000, 1000, 1000}, {0}, {2000, 2000, 3000, 4000}},
    {"CRC32X", 0x9ac24c20, {2000, 2000, 2000, 2000}, {0}, {2000, 1000, 1000, 1000}},
    /* A55: a chase of pointers, and a chain of offsets (A6 of docs/model.md; the guide has 3 and 4) */
    {"LDR", 0xf9400020, {2000, 4000, 4000, 4000}, {0}, {1000, 1000, 2000, 3000}},
    {"LDR register", 0xf8626820, {4000, 5000, 4000, 4000}, {0}, {1000, 1000, 2000, 3000}},
    {"LDRSW", 0xb9800020, {5000, 4000, 4000, 4000}, {0}, {1000, 1000, 2000, 0}},
    /* A55: the second register; A72: the first (5 to the second) */
    {"LDP x", 0xa9400440, {4000, 4000, 4000, 4000}, {0}, {500, 1000, 1000, 1000}},
    /* One in 0.75 cycles was measured on N1 beside as many ADD: two of its four slots */
    {"LDP w", 0x29400440, {4000, 4000, 4000, 4000}, {0}, {500, 1000, 2000, 1730}},
    {"STR x", 0xf9000020, {0}, {0}, {1000, 1000, 2000, 2000}},
    /* N1: LLVM's 16 bytes a cycle; 0.33 were measured, all to one address, which no memset of that core bears
       out */
    {"STP x", 0xa9000440, {0}, {0}, {1000, 500, 1000, 2000}},
    /* Half of each with as many LDR q on A72 and N1 */
    {"STP w", 0x29000440, {0}, {0}, {1000, 1000, 2000, 2000}},
    {"STP s", 0x2d000440, {0}, {0}, {0, 1000, 2000, 0}},
    {"STR q", 0x3d800020, {0}, {0}, {0, 500, 1000, 2000}},
    {"LDR q", 0x3dc00020, {0}, {0}, {500, 1000, 2000, 3000}},
    {"FADD", 0x1e622820, {4000, 4000, 2000, 2000}, {0}, {2000, 2000, 2000, 4000}},
    {"FMAX", 0x1e224820, {4000, 3000, 2000, 2000}, {0}, {2000, 2000, 2000, 4000}},
    {"FADD vector", 0x4e22d420, {4000, 4000, 2000, 2000}, {0}, {1000, 1000, 2000, 4000}},
    {"FMUL", 0x1e620820, {4000, 4000, 3000, 3000}, {0}, {2000, 2000, 2000, 4000}},
    {"FMADD", 0x1f420c20, {4000, 7000, 4000, 4000}, {4000, 3000, 2000, 2000}, {2000, 2000, 2000, 4000}},
    {"FMLA vector", 0x4e22cc20, {4000, 7000, 4000, 4000}, {4000, 3000, 2000, 2000}, {1000, 1000, 2000, 3200}},
    /* A55: 128 bits, SLOTHY's model */
    {"vector ADD", 0x4ea28420, {3000, 3000, 2000, 2000}, {0}, {1000, 1500, 2000, 4000}},
    {"vector MUL .s", 0x4ea29c20, {4000, 4000, 5000, 4000}, {0}, {1000, 500, 500, 2000}},
    {"vector MLA .s", 0x4ea29420, {4000, 4000, 5000, 4000}, {1000, 2000, 2000, 2300}, {1000, 500, 500, 2000}},
    {"SMULL vector", 0x0e62c020, {4000, 4000, 4000, 4000}, {0}, {1000, 1000, 1000, 2000}},
    {"SMLAL", 0x0e628020, {4000, 4000, 4000, 4000}, {1000, 1000, 1000, 2300}, {1000, 1000, 1000, 2000}},
    /* A55: the A53's, and LLVM's of SQRDMLAH, which the A53 lacks; N1, .2s: LLVM's */
    {"SQDMLAL", 0x0e629020, {4000, 4000, 4000, 4000}, {4000, 2000, 4000, 4000}, {1000, 1000, 1000, 2000}},
    {"SQRDMLAH .2s", 0x2e828420, {4000, 0, 4000, 4000}, {4000, 0, 4000, 4000}, {1000, 0, 1000, 2000}},
    {"SQRDMLAH .4s", 0x6e828420, {4000, 0, 5000, 4000}, {4000, 0, 5000, 4000}, {1000, 0, 500, 2000}},
    /* A55: the A53's */
    {"XTN .2s", 0x0ea12820, {0, 3000, 2000, 2000}, {0}, {0, 2000, 2000, 4000}},
    {"ADDHN .4s", 0x0e624020, {3000, 3000, 2000, 2000}, {0}, {1000, 2000, 2000, 4000}},
    {"ZIP", 0x4e823820, {2000, 3000, 2000, 2000}, {0}, {1000, 1500, 2000, 4000}},
    /* A55: the A53's. Its TBX takes a cycle more than TBL; the file has no such difference */
    {"TBL 2", 0x4e032020, {3000, 9910, 2000, 2000}, {0}, {500, 333, 2000, 2000}},
    {"TBL 3", 0x4e034020, {4000, 13000, 4000, 4000}, {0}, {333, 200, 940, 1000}},
    {"TBL 4", 0x4e036020, {5000, 15880, 4000, 4000}, {0}, {250, 143, 667, 667}},
    {"TBX 1", 0x4e031020, {0, 6270, 2000, 2000}, {0}, {0, 667, 2000, 2000}},
    {"TBX 2", 0x4e033020, {0, 9900, 4000, 4000}, {0}, {0, 333, 940, 1000}},
    {"TBX 3", 0x4e035020, {0, 13000, 6000, 6000}, {0}, {0, 200, 667, 667}},
    {"TBX 4", 0x4e037020, {0, 15880, 6270, 6000}, {0}, {0, 143, 400, 400}},
    {"FRINTA .4s", 0x6e218820, {4000, 3000, 4000, 4000}, {0}, {1000, 500, 500, 1000}},
    {"FRINTA .2d", 0x6e618820, {4000, 3000, 3000, 3000}, {0}, {1000, 1000, 1000, 2000}},
    {"FRINTA .8h", 0x6e798820, {0, 0, 6000, 6000}, {0}, {0, 0, 250, 500}},
    {"SCVTF .4s, #3", 0x4f3de420, {4000, 3000, 4000, 4000}, {0}, {1000, 500, 500, 1000}},
    {"SCVTF .8h, #3", 0x4f1de420, {0, 0, 6000, 6000}, {0}, {0, 0, 250, 500}},
    {"URECPE .4s", 0x4ea1c820, {4000, 3000, 4000, 4000}, {0}, {1000, 500, 500, 1000}},
    {"FCVTL .4s", 0x0e217820, {4000, 7000, 4000, 4000}, {0}, {1000, 500, 500, 1000}},
    {"FCVTL .2d", 0x0e617820, {4000, 3000, 3000, 3000}, {0}, {1000, 1000, 1000, 2000}},
    {"FCVTN .4h", 0x0e216820, {4000, 6000, 4000, 4000}, {0}, {1000, 500, 500, 1000}},
    {"FCVTN .2s", 0x0e616820, {4000, 3000, 3000, 3000}, {0}, {1000, 1000, 1000, 2000}},
    {"FMAXV .8h", 0x4e30f820, {0, 0, 9000, 9000}, {0}, {0, 0, 670, 1030}},
    {"FDIV", 0x1e221820, {13000, 0, 0, 0}, {0}, {100, 0, 0, 0}},
    {"FDIV double", 0x1e621820, {22000, 0, 0, 0}, {0}, {53, 0, 0, 0}},
    /* LLVM's files */
    {"FDIV .4s", 0x6e22fc20, {13000, 0, 10000, 10000}, {0}, {100, 0, 143, 286}},
    {"FDIV .2d", 0x6e62fc20, {22000, 0, 15000, 15000}, {0}, {53, 0, 0, 0}},
    /* A55: the A53's */
    {"FSQRT .4s", 0x6ea1f820, {12000, 30000, 9000, 9000}, {0}, {110, 33, 140, 290}},
    {"FSQRT .2d", 0x6ee1f820, {22000, 60000, 16000, 16000}, {0}, {53, 16, 70, 140}},
};

/* Where the model cannot give the figure, and why. Everything else is within 50 permille. */
static const struct exception {
    const char *says;
    int core;
    enum { LATENCY, ACCUMULATE, PER_CYCLE, FORWARD } what;
    int permille;
    const char *why;
} exceptions[] = {
    {"FMLA vector", V1, PER_CYCLE, 63,
     "3.2 a cycle lies between three ports and four; a port is taken for whole cycles"},
    {"vector MLA .s", V1, ACCUMULATE, 131,
     "2.3 cycles were measured, the mean of some 2 and some 3; latencies are whole"},
    {"SMLAL", V1, ACCUMULATE, 131, "2.3 to 2.4 cycles were measured; latencies are whole"},
    {"LDP w", V1, PER_CYCLE, 134, "1.73 a cycle were measured; two operations on three ports are 1.5"},
    {"TBL 2", A72, LATENCY, 92, "9.9 cycles were measured; LLVM's file has 9"},
    {"TBX 2", A72, LATENCY, 91, "9.9 cycles were measured; LLVM's file has 9"},
    {"TBL 3", N1, PER_CYCLE, 64, "0.94 a cycle were measured; two operations on two ports are one"},
    {"TBX 2", N1, PER_CYCLE, 64, "0.94 a cycle were measured; two operations on two ports are one"},
    {"FCVTL .4s", A72, LATENCY, 572, "its class has the 3 cycles of conversions within one width"},
    {"FCVTN .4h", A72, LATENCY, 500, "its class has the 3 cycles of conversions within one width"},
    {"STR to LDR", A72, FORWARD, 77, "6.5 cycles were measured; forwarding takes whole cycles"},
    {"STR to LDR", N1, FORWARD, 91, "5.5 cycles were measured; forwarding takes whole cycles"},
    {"STR to LDR", V1, FORWARD, 121,
     "4.55 cycles were measured, and 4.2 of a pair; forwarding takes whole cycles, the same for both"},
};

static int allowed(const char *says, int core, int what)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].says, says) == 0 && exceptions[i].core == core &&
            (int)exceptions[i].what == what)
            return exceptions[i].permille;
    return 50;
}

static void expect_near(const char *says, int core, int what, const char *unit, int found, int published)
{
    int error = abs(found - published) * 1000 / published;
    cr_expect_leq(error, allowed(says, core, what), "%s, %s: %d.%03d %s; published is %d.%03d", names[core],
                  says, found / 1000, found % 1000, unit, published / 1000, published % 1000);
}

enum { BODY = 240, WARM = 20, LAPS = 40, PLACE = 0x2000, CODE = 0x1000 };

enum shape { CHAIN, ACCUMULATORS, STREAM };

/* Register 0 is never written: what only reads it waits for nothing. */
static struct op make(const struct row *row, enum shape shape, unsigned i)
{
    struct decoded decoded;
    decode(row->word, 0, &decoded);
    struct op op = {.address = CODE + 4 * i,
                    .op_class = decoded.op.op_class,
                    .wide = decoded.op.wide,
                    .half = decoded.op.half,
                    .accumulator = OP_NONE,
                    .base_write = OP_NONE,
                    .memory = decoded.op.memory,
                    .bytes = decoded.op.bytes};
    if (op.op_class == OP_NOP)
        return op;
    bool store = op.memory == OP_MEMORY_STORE;
    op.read_count = 3;
    op.reads[0] = shape == CHAIN ? 1 : 0;
    op.reads[2] = shape == ACCUMULATORS ? 1 : 0;
    op.write_count = !store;
    op.writes[0] = shape == STREAM ? (uint8_t)(1 + i % 28) : 1;
    if (shape == ACCUMULATORS)
        op.accumulator = 2;
    if (op.memory != OP_NO_MEMORY) {
        op.address_reads = store || op_is_by_base(&decoded.op) ? 1 : 7;
        op.registers = 1;
    }
    return op;
}

static struct op loop_end(unsigned i)
{
    return (struct op){.address = CODE + 4 * i,
                       .op_class = OP_BRANCH,
                       .accumulator = OP_NONE,
                       .base_write = OP_NONE,
                       .branch = OP_JUMP};
}

/* Thousandths of a cycle that an instruction of a long loop of these takes. */
static int cycles_each(const struct core *core, const struct op *ops, unsigned count,
                       const uint64_t *addresses)
{
    struct error err;
    struct model_counts counts;
    struct model *model = model_create(core, NULL, ops, count + 1, &err);
    cr_assert(model, "%s", err.text);
    for (unsigned lap = 0; lap < WARM + LAPS; lap++) {
        if (lap == WARM)
            model_forget_counts(model);
        model_run(model, 0, count + 1, addresses, CODE);
    }
    model_count(model, &counts);
    model_destroy(model);
    return (int)(counts.value[MODEL_CYCLES] * 1000 / (count * LAPS));
}

/* The same, all accesses being to one place. */
static int at_one_place(const struct core *core, const struct op *ops)
{
    uint64_t addresses[BODY];
    for (unsigned i = 0; i < BODY; i++)
        addresses[i] = PLACE;
    return cycles_each(core, ops, BODY, addresses);
}

static int measure(const struct core *core, const struct row *row, enum shape shape)
{
    struct op ops[BODY + 1];
    for (unsigned i = 0; i < BODY; i++)
        ops[i] = make(row, shape, i);
    ops[BODY] = loop_end(BODY);
    return at_one_place(core, ops);
}

static void check_core(int number)
{
    struct error err;
    struct core core;
    cr_assert(core_read(".", names[number], &core, &err), "%s", err.text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (row->latency[number])
            expect_near(row->says, number, LATENCY, "cycles", measure(&core, row, CHAIN),
                        row->latency[number]);
        if (row->accumulate[number])
            expect_near(row->says, number, ACCUMULATE, "cycles between accumulators",
                        measure(&core, row, ACCUMULATORS), row->accumulate[number]);
        if (row->per_cycle[number])
            expect_near(row->says, number, PER_CYCLE, "a cycle", 1000000 / measure(&core, row, STREAM),
                        row->per_cycle[number]);
    }
}

Test(core_figures, cortex_a55)
{
    check_core(A55);
}

Test(core_figures, cortex_a72)
{
    check_core(A72);
}

Test(core_figures, neoverse_n1)
{
    check_core(N1);
}

Test(core_figures, neoverse_v1)
{
    check_core(V1);
}

Test(core_figures, a_store_hands_its_data_on)
{
    static const int published[CORES] = {3000, 6500, 5500, 4550};
    const struct row load = {.word = 0xf9400020 /* ldr x0, [x1] */}, store = {.word = 0xf9000020};
    for (int number = 0; number < CORES; number++) {
        struct error err;
        struct core core;
        struct op ops[BODY + 1];
        cr_assert(core_read(".", names[number], &core, &err), "%s", err.text);
        for (unsigned i = 0; i < BODY; i++) { /* the load's result is the next store's data */
            ops[i] = make(i % 2 ? &load : &store, STREAM, i);
            if (i % 2)
                ops[i].writes[0] = 1;
            else
                ops[i].reads[2] = 1;
        }
        ops[BODY] = loop_end(BODY);
        expect_near("STR to LDR", number, FORWARD, "cycles", 2 * at_one_place(&core, ops), published[number]);
    }
}

/* Thousandths of a cycle, the last digit rounded, that these instructions take, again and again, each time at
 * another line. */
static int of_lines(const struct core *core, const uint32_t *words, unsigned count)
{
    struct op ops[BODY + 1];
    uint64_t addresses[BODY];
    unsigned accesses = 0, used = BODY / count * count;
    for (unsigned i = 0; i < used; i++) {
        struct decoded decoded;
        decode(words[i % count], CODE + 4 * i, &decoded);
        ops[i] = decoded.op;
        if (op_is_told(&ops[i]))
            addresses[accesses++] = PLACE + (uint64_t)(i / count) * core->line;
    }
    ops[used] = loop_end(used);
    return ((int)count * cycles_each(core, ops, used, addresses) + 5) / 10 * 10;
}

/* A core has one mark for loads exclusive, so pairs follow each other; nobody has measured them, and so none
 * is cheaper than an atomic. */
Test(core_figures, a_pair_of_exclusives_costs_what_an_atomic_does)
{
    static const uint32_t atomic[] = {0xf8210002};                          /* ldadd x1, x2, [x0] */
    static const uint32_t pair[] = {0xc85f7c01, 0x91000421, 0xc8027c01};    /* ldxr x1, add, stxr w2 */
    static const uint32_t cleared[] = {0xc85f7c01, 0xc8027c01, 0xd5033f5f}; /* ldxr, stxr, clrex */
    for (int number = 0; number < CORES; number++) {
        struct error err;
        struct core core;
        cr_assert(core_read(".", names[number], &core, &err), "%s", err.text);
        const int once = of_lines(&core, atomic, 1), twice = of_lines(&core, pair, 3);
        cr_expect(once <= twice && twice <= once + 1100, "%s: %d and %d", names[number], once, twice);
        cr_expect_leq(once, of_lines(&core, cleared, 3), "%s", names[number]);
        core.classes[OP_EXCLUSIVE][0].busy = 1;
        cr_expect_geq(of_lines(&core, pair, 3), 5000, "%s: a chain of load, addition, store", names[number]);
    }
}

/* A chain of loads through `lines` cache lines in a random order. */
static int chase(const struct core *core, unsigned lines)
{
    struct error err;
    struct model_counts counts;
    const struct row load = {.word = 0xf9400020 /* ldr x0, [x1] */};
    struct op ops[2] = {make(&load, CHAIN, 0), loop_end(1)};
    uint32_t *order = calloc(lines, sizeof *order);
    struct model *model = model_create(core, NULL, ops, 2, &err);
    cr_assert(model && order, "%s", err.text);
    struct rng rng = {1};
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t other = (uint32_t)rng_below(&rng, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (unsigned lap = 0; lap < 2; lap++) {
        if (lap == 1)
            model_forget_counts(model);
        for (uint32_t i = 0; i < lines; i++) {
            uint64_t address = 0x40000000 + (uint64_t)order[i] * core->line;
            model_run(model, 0, 2, &address, CODE);
        }
    }
    model_count(model, &counts);
    model_destroy(model);
    free(order);
    return (int)(counts.value[MODEL_CYCLES] * 1000 / lines);
}

Test(core_figures, pointer_chase_on_neoverse_n1)
{
    struct error err;
    struct core core;
    cr_assert(core_read(".", "neoverse-n1", &core, &err), "%s", err.text);
    core.tlb.entries = 4096; /* the caches alone */
    expect_near("L1", N1, LATENCY, "cycles", chase(&core, (32 << 10) / 64), 4000);
    expect_near("L2", N1, LATENCY, "cycles", chase(&core, (256 << 10) / 64), 13500);
    expect_near("LLC", N1, LATENCY, "cycles", chase(&core, (1792 << 10) / 64), 72000);
    expect_near("memory", N1, LATENCY, "cycles", chase(&core, (8 << 20) / 64), 237000);
}
