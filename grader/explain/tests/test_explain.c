#include "grader/tests/built.h"
#include "grader/tests/scratch.h"

#include "grader/core/core_file.h"
#include "grader/explain/explain_internal.h"
#include "grader/base/spawn.h"
#include "grader/base/tool.h"
#include "harness/emu/decode.h"

TestSuite(explain, .init = scratch_make, .fini = scratch_remove);

/* ---- programs, word by word, and what a model could have said about them ---- */

enum {
    NOP = 0xd503201f,
    RET = 0xd65f03c0,
    LDR_S1 = 0xbc404401,  /* ldr s1, [x0], #4 */
    LDR_W1 = 0xb9400001,  /* ldr w1, [x0] */
    STR_W1 = 0xb9000001,  /* str w1, [x0] */
    LDR_SP = 0xf94007e1,  /* ldr x1, [sp, #8] */
    STR_SP = 0xf90007e1,  /* str x1, [sp, #8] */
    ADD_X1 = 0x91000421,  /* add x1, x1, #1 */
    SUBS_X3 = 0xf1000463, /* subs x3, x3, #1 */
    MUL_X2 = 0x9b037c42,  /* mul x2, x2, x3 */
    FADD = 0x1e212800,    /* fadd s0, s0, s1 */
    CMP = 0xeb01001f,     /* cmp x0, x1 */
    EQ = 0,
    NE = 1,
    GT = 12,
    MOST = LOOP_OPS + 1,
    BASE_ADDRESS = 0x400100,
};

static uint32_t branch_if(unsigned condition, int instructions)
{
    return 0x54000000U | ((uint32_t)instructions & 0x7ffffU) << 5 | condition;
}

static uint32_t jump(int instructions)
{
    return 0x14000000U | ((uint32_t)instructions & 0x3ffffffU);
}

struct program {
    struct op ops[MOST];
    uint32_t words[MOST];
    struct model_site sites[MOST];
    struct core core;
    struct image image;
    struct profile run;
};

static struct program *program_of(const char *core, const uint32_t *words, const uint64_t *executions,
                                  size_t count)
{
    static struct program p;
    struct error err;
    p = (struct program){0};
    cr_assert(core_read(".", core, &p.core, &err), "%s", err.text);
    for (size_t i = 0; i < count; i++) {
        struct decoded decoded;
        decode(words[i], BASE_ADDRESS + 4 * i, &decoded);
        cr_assert_eq(decoded.verdict, DECODE_OK, "%08x", words[i]);
        p.ops[i] = decoded.op;
        p.ops[i].address = BASE_ADDRESS + 4 * i;
        p.words[i] = words[i];
        p.sites[i].executions = executions[i];
    }
    p.image = (struct image){.code = BASE_ADDRESS, .count = count, .words = p.words};
    p.run = (struct profile){
        .program = scratch_path("program"), .core = &p.core, .ops = p.ops, .count = count, .sites = p.sites};
    return &p;
}

#define PROGRAM(CORE, WORDS, EXECUTIONS) program_of(CORE, WORDS, EXECUTIONS, sizeof(WORDS) / sizeof *(WORDS))

/* Exercise 4's stub: 100 elements. */
static struct program *sum_program(const char *core)
{
    const uint32_t words[] = {NOP, LDR_S1, FADD, CMP, branch_if(NE, -3), RET};
    const uint64_t executions[] = {1, 100, 100, 100, 100, 1};
    struct program *p = PROGRAM(core, words, executions);
    p->run.elements = 100;
    return p;
}

static struct loop_view *view_of(struct program *p)
{
    struct error err = {""};
    struct loop_view *view = loop_view(&p->run, &p->image, &err);
    cr_assert(view, "%s", err.text);
    return view;
}

/* ---- loops ---- */

Test(explain, a_loop_is_found)
{
    struct program *p = sum_program("neoverse-n1");
    struct hot_loop loop;
    struct error err;
    p->sites[2].cycles[MODEL_WAIT_OPERAND] = 200;
    p->sites[0].cycles[MODEL_WAIT_FETCH] = 7;
    cr_assert(hot_loop_find(&p->run, &p->image, &loop, &err));
    cr_expect_eq(loop.rounds, 100);
    cr_expect_eq(loop.count, 4);
    cr_expect_eq(loop.path[0], 1);
    cr_expect_eq(loop.path[3], 4);
    cr_expect_eq(loop.cycles, 200);
    cr_expect_eq(loop.all_cycles, 207);
    cr_expect_eq(loop.waits[MODEL_WAIT_OPERAND], 200);
    cr_expect_not(loop.holds_loops);
}

Test(explain, without_a_loop_that_is_said)
{
    const uint32_t words[] = {NOP, branch_if(NE, 2), NOP, RET};
    const uint64_t executions[] = {1, 1, 1, 1};
    struct program *p = PROGRAM("neoverse-n1", words, executions);
    struct loop_limits limits;
    struct error err;
    char text[64] = "as before";
    cr_expect_null(loop_view(&p->run, &p->image, &err));
    cr_expect(strstr(err.text, "no loop"));
    cr_expect_not(profile_look(&p->run, text, sizeof text, &limits)); /* nor is there such a program */
    cr_expect_str_empty(text);
}

/* Entered in the middle, with a block behind the loop that jumps back into it: as compilers lay it out. */
Test(explain, a_loop_is_a_loop_in_whatever_order_its_blocks_lie)
{
    const uint32_t words[] = {
        jump(3),           /* 0: to 3 */
        ADD_X1,            /* 1 */
        NOP,               /* 2 */
        CMP,               /* 3: each round begins here */
        branch_if(GT, 3),  /* 4: to 7 */
        branch_if(NE, -4), /* 5: to 1 */
        RET,               /* 6 */
        MUL_X2,            /* 7: seldom */
        jump(-6),          /* 8: to 2 */
    };
    const uint64_t executions[] = {1, 80, 99, 100, 100, 81, 1, 19, 19};
    struct program *p = PROGRAM("neoverse-n1", words, executions);
    struct hot_loop loop;
    struct error err;
    p->sites[3].cycles[MODEL_WAIT_WIDTH] = 100;
    cr_assert(hot_loop_find(&p->run, &p->image, &loop, &err));
    cr_expect_eq(loop.rounds, 100);
    cr_expect_eq(loop.size, 7);
    cr_assert_eq(loop.count, 5, "the seldom block is not on the path");
    cr_expect_eq(loop.path[0], 3);
    cr_expect_eq(loop.path[1], 4);
}

Test(explain, the_inner_loop_is_looked_at)
{
    const uint32_t words[] = {NOP, ADD_X1, branch_if(NE, -1), SUBS_X3, branch_if(NE, -4), RET};
    const uint64_t executions[] = {10, 1000, 1000, 10, 10, 1};
    struct program *p = PROGRAM("neoverse-n1", words, executions);
    struct hot_loop loop;
    struct error err;
    p->sites[1].cycles[MODEL_WAIT_OPERAND] = 1000;
    cr_assert(hot_loop_find(&p->run, &p->image, &loop, &err));
    cr_expect_eq(loop.rounds, 1000);
    cr_expect_eq(loop.count, 2);
    p->sites[3].cycles[MODEL_WAIT_OPERAND] = 9000; /* now it does not matter */
    cr_assert(hot_loop_find(&p->run, &p->image, &loop, &err));
    cr_expect_eq(loop.rounds, 10);
    cr_expect(loop.holds_loops);
    struct loop_view *view = view_of(p);
    cr_expect_eq(view->chain.count, 0);
    cr_expect_not(view->has_alone);
    free(view);
}

Test(explain, a_function_may_begin_with_its_loop)
{
    const uint32_t words[] = {ADD_X1, SUBS_X3, branch_if(NE, -2), RET};
    const uint64_t executions[] = {50, 50, 50, 1};
    struct program *p = PROGRAM("neoverse-n1", words, executions);
    struct hot_loop loop;
    struct error err;
    cr_assert(hot_loop_find(&p->run, &p->image, &loop, &err));
    cr_expect_eq(loop.rounds, 50);
    cr_expect_eq(loop.count, 3);
}

/* Nor is a part of it told as if it were the whole. */
Test(explain, a_loop_that_is_too_long_is_not_cut)
{
    static uint32_t words[LOOP_OPS + 1];
    static uint64_t executions[LOOP_OPS + 1];
    struct hot_loop loop;
    struct error err;
    for (size_t size = LOOP_OPS; size <= LOOP_OPS + 1; size++) {
        for (size_t i = 0; i < size; i++) {
            words[i] = i + 1 < size ? NOP : branch_if(NE, 1 - (int)size);
            executions[i] = 10;
        }
        struct program *p = program_of("neoverse-n1", words, executions, size);
        cr_assert_eq(hot_loop_find(&p->run, &p->image, &loop, &err), size == LOOP_OPS);
    }
    cr_expect_eq(loop.size, LOOP_OPS);
    cr_expect_str_eq(err.text, "a loop of 2049 instructions is longer than the 2048 that are looked at");
}

/* ---- what binds ---- */

Test(explain, one_chain_binds_the_stub)
{
    struct program *p = sum_program("neoverse-n1");
    char text[512];
    p->sites[2].cycles[MODEL_WAIT_OPERAND] = 200;
    struct loop_view *view = view_of(p);
    cr_expect_eq(view->binding, BIND_CHAIN);
    cr_expect_eq(loop_ratio_value(view->chain.ratio), 2);
    cr_assert(view->has_alone);
    cr_expect_float_eq(loop_ratio_value(view->alone), 2, 0.02);
    loop_sentence(&p->run, &p->image, view, text, sizeof text);
    cr_expect_str_eq(
        text, "The loop waits for one chain of fadd, latency 2: 2.0 cycles an element; the ports could "
              "start one every 0.50.");
    free(view);
}

Test(explain, a_counter_in_memory_is_a_chain)
{
    const uint32_t words[] = {LDR_SP, ADD_X1, STR_SP, SUBS_X3, branch_if(NE, -4), RET};
    const uint64_t executions[] = {100, 100, 100, 100, 100, 1};
    struct program *p = PROGRAM("neoverse-n1", words, executions);
    p->sites[0].cycles[MODEL_WAIT_OPERAND] = 100ULL * (p->core.forward + 1U);
    struct loop_view *view = view_of(p);
    cr_expect_eq(view->binding, BIND_CHAIN);
    cr_expect_eq(loop_ratio_value(view->chain.ratio), p->core.forward + 1);
    free(view);
}

/* The sentence when 100 rounds of `words` took so many cycles for this reason at instruction `at`. */
static const char *said(const char *core, const uint32_t *words, size_t count, unsigned at,
                        enum model_wait wait, uint64_t cycles)
{
    static char text[512];
    uint64_t executions[MOST];
    for (size_t i = 0; i < count; i++)
        executions[i] = i + 1 < count ? 100 : 1;
    struct program *p = program_of(core, words, executions, count);
    p->sites[at].cycles[wait] = cycles;
    p->sites[at].misses[0] = 75;
    p->sites[at].misses[3] = wait == MODEL_WAIT_MEMORY ? 25 : 0;
    p->sites[at].mispredicts = wait == MODEL_WAIT_MISPREDICT ? 40 : 0;
    struct loop_view *view = view_of(p);
    loop_sentence(&p->run, &p->image, view, text, sizeof text);
    free(view);
    return text;
}

#define SAID(CORE, WORDS, AT, WAIT, CYCLES)                                                                  \
    said(CORE, WORDS, sizeof(WORDS) / sizeof *(WORDS), AT, MODEL_WAIT_##WAIT, CYCLES)

Test(explain, each_bound_has_its_sentence)
{
    const uint32_t update[] = {LDR_W1, STR_W1, SUBS_X3, branch_if(NE, -3), RET};
    const uint32_t loads[] = {LDR_W1, LDR_W1, LDR_W1, LDR_W1, SUBS_X3, branch_if(NE, -5), RET};
    const uint32_t nops[] = {NOP, NOP, NOP, NOP, NOP, SUBS_X3, branch_if(GT, -6), RET};
    expect_has(SAID("neoverse-n1", update, 0, MEMORY, 5000),
               "The loop waits for memory, 50.0 of its 50.0 cycles a round: `ldr` waits for a line that is "
               "not yet in "
               "the first-level cache in 25.0 % of its executions.");
    expect_has(SAID("neoverse-n1", update, 0, TLB, 5000), "`ldr` waits longest.");
    expect_has(
        SAID("neoverse-n1", update, 3, MISPREDICT, 900),
        "starts again after mispredicted branches, 9.0 of its 9.0 cycles a round: `b.ne` is mispredicted "
        "in 40.0 % of its executions.");
    expect_has(SAID("neoverse-n1", update, 0, STORE, 900),
               "waits for its stores, 9.0 of its 9.0 cycles a round, most "
               "of all `ldr`.");
    expect_has(SAID("neoverse-n1", update, 2, FETCH, 900), "waits for instructions to be fetched");
    expect_has(SAID("neoverse-n1", update, 2, ORDER, 900), "waits at barriers");
    expect_has(SAID("neoverse-n1", loads, 2, PORT, 200),
               "keeps the ports l0 and l1 busy: 2.0 cycles a round of what "
               "only they can do; its longest chain needs 1.0.");
    expect_has(SAID("neoverse-n1", nops, 2, WIDTH, 175),
               "is as fast as this core hands out instructions, 4 a cycle: "
               "1.8 cycles a round.");
    uint32_t many[23]; /* NOPs that are joined are bound by what is fetched, not by the width */
    for (size_t i = 0; i < 20; i++)
        many[i] = NOP;
    many[20] = SUBS_X3, many[21] = branch_if(GT, -21), many[22] = RET;
    expect_has(SAID("neoverse-v1", many, 2, WIDTH, 200),
               "hands out instructions, 11 a cycle: 2.0 cycles a round.");
}

/* No chain is looked for there, and none is spoken of. */
Test(explain, a_loop_that_holds_loops_has_no_chain)
{
    const uint32_t words[] = {
        NOP, LDR_W1, LDR_W1, LDR_W1, LDR_W1, branch_if(NE, -4), MUL_X2, SUBS_X3, branch_if(NE, -8), RET};
    const uint64_t executions[] = {10, 100, 100, 100, 100, 100, 10, 10, 10, 1};
    struct program *p = PROGRAM("neoverse-n1", words, executions);
    char text[512];
    p->sites[6].cycles[MODEL_WAIT_OPERAND] = 200;
    struct loop_view *view = view_of(p);
    loop_sentence(&p->run, &p->image, view, text, sizeof text);
    cr_expect_str_eq(
        text, "The loop keeps the ports l0 and l1 busy: 20.0 cycles a round of what only they can do.");
    free(view);
    p->sites[6].cycles[MODEL_WAIT_OPERAND] = 2000;
    view = view_of(p);
    loop_sentence(&p->run, &p->image, view, text, sizeof text);
    cr_expect_str_eq(
        text, "The loop takes 200 cycles a round where its ports and width allow 20.0: `mul` waits for "
              "its operands.");
    free(view);
}

Test(explain, in_order_a_short_chain_does_not_explain_the_wait)
{
    const uint32_t words[] = {0xbc637801 /* ldr s1, [x0, x3, lsl #2] */,
                              0x1e210821 /* fmul s1, s1, s1 */,
                              FADD,
                              SUBS_X3,
                              branch_if(NE, -4),
                              RET};
    expect_has(SAID("cortex-a55", words, 1, LOAD, 900), "takes 9.0 cycles a round where its chains, ports "
                                                        "and width allow 4.0: `fmul` waits for its operands, "
                                                        "and all behind it wait too.");
    expect_has(SAID("neoverse-n1", words, 1, WINDOW, 900), "`fmul` has no room to start.");
    expect_has(SAID("cortex-a55", words, 0, PORT, 900),
               "`ldr` waits for its port, and all behind it wait too.");
}

Test(explain, a_loop_across_the_end_of_a_block_is_named)
{
    const uint32_t words[] = {NOP, NOP, NOP, SUBS_X3, branch_if(NE, -1), RET};
    expect_has(
        SAID("cortex-a72", words, 3, OPERAND, 200),
        "takes 2.0 cycles a round where its chains, ports and width allow 1.0: a round lies in 2 blocks of "
        "16 bytes, of which a cycle fetches one.");
    expect_has(SAID("neoverse-v1", words, 3, OPERAND, 200), "waits for its operands");
    expect_has(SAID("cortex-a72", words, 3, OPERAND, 500), "waits for its operands");
}

Test(explain, a_mixed_chain_names_its_links)
{
    const uint32_t words[] = {MUL_X2, 0x8b030042 /* add x2, x2, x3 */, SUBS_X3, branch_if(NE, -3), RET};
    expect_has(SAID("neoverse-n1", words, 0, OPERAND, 500),
               "waits for one chain of mul (4) and add (1): 5.0 cycles a "
               "round.");
}

Test(explain, what_is_not_all_is_told)
{
    struct program *p = sum_program("neoverse-n1");
    char text[512];
    p->sites[2].cycles[MODEL_WAIT_OPERAND] = 200;
    p->sites[5].cycles[MODEL_WAIT_MEMORY] = 200;
    struct loop_view *view = view_of(p);
    loop_sentence(&p->run, &p->image, view, text, sizeof text);
    expect_has(text, "The hottest loop, 50 % of all cycles, waits for one chain");
    loop_sentence(&p->run, &p->image, view, text, 20);
    cr_expect_str_eq(text, "The hottest loop, 5", "cut to fit");
    free(view);
}

/* ---- tools ---- */

static struct workdir *workdir_here(void)
{
    struct error err;
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
    return workdir;
}

/* A command in the scratch folder, which is all of PATH but for the shell's own. */
static void fake(const char *name, const char *script)
{
    char path[PATH_MAX + 64];
    scratch_write(name, script);
    cr_assert(chmod(scratch_path(name), 0755) == 0 && chmod(scratch_root, 0755) == 0);
    snprintf(path, sizeof path, "%s:/bin:/usr/bin", scratch_root);
    setenv("PATH", path, 1);
}

static struct listing listing_of(struct program *p)
{
    struct listing listing;
    struct error err;
    cr_assert(listing_open(&listing, &p->run, &p->image, &err), "%s", err.text);
    return listing;
}

Test(explain, the_disassembler_is_read)
{
    struct program *p = sum_program("neoverse-n1");
    fake("aarch64-linux-gnu-objdump", "#!/bin/sh\n"
                                      "echo\n"
                                      "echo 'sum:     file format elf64-littleaarch64'\n"
                                      "printf '0000000000400104 <sum>:\\n'\n"
                                      "printf '  400104:\\tldr\\ts1, [x0], #4\\n'\n"
                                      "printf '  400110:\\tb.ne\\t400104 <sum+0x4>  // b.any\\n'\n"
                                      "printf '  400000:\\tnop\\n  500000:\\tnop\\n'\n");
    struct listing listing = listing_of(p);
    cr_expect_null(listing.missing);
    cr_expect_str_eq(listing_text(&listing, 1), "ldr    s1, [x0], #4");
    cr_expect_str_eq(listing_text(&listing, 4), "b.ne   <sum+0x4>");
    cr_expect_str_eq(listing_text(&listing, 2), "fadd", "not in the output: the decoder's name");
    listing_close(&listing);
    fake("aarch64-linux-gnu-objdump", "#!/bin/sh\necho broken >&2\nexit 3\n");
    listing = listing_of(p);
    cr_expect_str_eq(listing.missing, "the disassembler failed");
    listing_close(&listing);
    setenv("PATH", "/nowhere", 1);
    listing = listing_of(p);
    expect_has(listing.missing, "binutils-aarch64-linux-gnu");
    listing_close(&listing);
}

Test(explain, llvm_mca_is_asked_and_read)
{
    struct program *p = sum_program("neoverse-n1");
    struct workdir *workdir = workdir_here();
    char text[256];
    p->sites[2].cycles[MODEL_WAIT_OPERAND] = 200;
    struct loop_view *view = view_of(p);
    fake("aarch64-linux-gnu-objdump", "#!/bin/sh\nprintf '  400110:\\tb.ne\\t400104 <sum+0x4>\\n'\n");
    fake("llvm-mca-39",
         "#!/bin/sh\n"
         "grep -q '^b.ne   .Ltarget$' \"$4\" || exit 1\n"
         "[ \"$2\" = -mcpu=neoverse-n1 ] || exit 2\n"
         "printf 'Iterations:        100\\nTotal Cycles:      203\\nBlock RThroughput: 1.3\\n'\n");
    struct listing listing = listing_of(p);
    mca_ask(workdir, &listing, view, text, sizeof text);
    cr_expect_str_eq(
        text, "llvm-mca-39: 2.03 cycles a round, 1.30 if no round waited for another; here it is 2.00.");
    fake("llvm-mca-39", "#!/bin/sh\necho nothing\n");
    mca_ask(workdir, &listing, view, text, sizeof text);
    cr_expect_str_eq(text, "llvm-mca-39 says nothing about this loop.");
    fake("llvm-mca-39", "#!/bin/sh\necho 'no such cpu'\nexit 1\n");
    mca_ask(workdir, &listing, view, text, sizeof text);
    cr_expect_str_eq(text, "llvm-mca-39 failed: no such cpu");
    setenv("PATH", "/nowhere", 1);
    mca_ask(workdir, &listing, view, text, sizeof text);
    expect_has(text, "install the package llvm");
    listing.missing = "no disassembler";
    mca_ask(workdir, &listing, view, text, sizeof text);
    expect_has(text, "no disassembler");
    listing_close(&listing);
    free(view);
    workdir_destroy(workdir);
}

Test(explain, a_tool_that_is_not_there_is_told)
{
    struct workdir *workdir = workdir_here();
    struct error err = {""};
    static const char *const argv[] = {"no-such-tool", NULL};
    char *folder = tool_folder(workdir, NULL, NULL, &err);
    cr_assert(folder, "%s", err.text);
    cr_expect_null(tool_run(argv, folder, &err));
    expect_has(err.text, "no-such-tool");
    cr_expect_null(tool_folder(workdir, "no/such/folder", "text", &err));
    cr_expect_null(tool_run_trusted("no-such-tool", folder, "file", &err));
    expect_has(err.text, "no-such-tool failed");
    free(folder);
    workdir_destroy(workdir);
}

/* ---- the page ---- */

Test(explain, the_page_shows_what_there_is)
{
    struct program *p = sum_program("neoverse-n1");
    char *texts[MOST] = {0}, *page = NULL, name[] = "fadd   s0, s0, s1\033[31m", target[] = "b.ne   <+0x4>";
    size_t size;
    struct exercise exercise = {.title = (char *)"Accumulators"};
    p->sites[2].cycles[MODEL_WAIT_OPERAND] = 190;
    p->sites[2].cycles[MODEL_WAIT_WIDTH] = 10;
    p->sites[1].misses[0] = 90;
    p->sites[1].misses[1] = 10;
    p->sites[4].mispredicts = 1;
    texts[2] = name;
    texts[4] = target;
    struct loop_view *view = view_of(p);
    struct listing listing = {.run = &p->run, .image = &p->image, .text = texts, .missing = "no operands"};
    struct explain_page given = {.exercise = &exercise,
                                 .what = "your code",
                                 .case_name = "whole-numbers",
                                 .calls = 1,
                                 .counts.value[MODEL_CYCLES] = 200,
                                 .counts.value[MODEL_INSTRUCTIONS] = 402,
                                 .listing = &listing,
                                 .view = view,
                                 .sentence = "The sentence.",
                                 .second_opinion = "The opinion."};
    for (unsigned colour = 0; colour < 2; colour++) {
        FILE *out = open_memstream(&page, &size);
        cr_assert(out);
        given.colour = colour;
        given.view = view;
        explain_page_write(out, &given);
        given.view = NULL;
        given.no_loop = "There is no loop.";
        explain_page_write(out, &given);
        cr_assert_eq(fclose(out), 0);
        expect_has(page, "Accumulators: your code on neoverse-n1");
        expect_has(page, "100 elements: 200 cycles, 2.00 an element");
        expect_has(page, "200    2.00 100.0%");
        expect_has(page, "operand 95%");
        expect_has(page, "L1D misses 10%");
        expect_has(page, "wrong 1.0%");
        expect_has(page, "dependency chain");
        expect_has(page, "<- binds");
        expect_has(page, "once around in 1 round:\n    2  fadd   s0, s0, s1");
        expect_has(page, "The opinion.");
        expect_has(page, "The sentence.");
        expect_has(page, "There is no loop.");
        expect_has(page, "(no operands)");
        cr_expect_eq(strstr(page, "\033[31m") != NULL, false, "a control character of the student's");
        cr_expect_eq(strchr(page, '\033') != NULL, colour == 1);
        free(page);
    }
    free(view);
}

/* ---- all of it ---- */

static bool can_run(void)
{
    return is_built("04-accumulators", "aarch64") && spawn_finds("aarch64-linux-gnu-gcc");
}

/* Explain exercise 4 so: the exit status; *text is what it wrote. */
static int explained(struct look_request look, char **text, struct error *err)
{
    size_t size;
    look.seed = MODEL_SEED;
    struct exercise *exercise = exercise_read(".", "04-accumulators", err);
    cr_assert(exercise, "%s", err->text);
    FILE *out = open_memstream(text, &size);
    cr_assert(out);
    look.root = ".";
    look.build = build_folder();
    *err = (struct error){""};
    int status = explain_exercise(&(struct explain_request){.look = look}, exercise, out, err);
    cr_assert_eq(fclose(out), 0);
    exercise_free(exercise);
    return status;
}

Test(explain, exercise_4_as_the_issue_has_it)
{
    struct error err;
    char *text;
    if (!can_run())
        scratch_skip("the AArch64 side is not built");
    cr_expect_eq(explained((struct look_request){.variant = VARIANT_BASELINE}, &text, &err), 0, "%s",
                 err.text);
    expect_has(text, "Accumulators: the baseline on neoverse-n1");
    expect_has(text, "The loop waits for one chain of fadd, latency 2: 2.0 cycles an element");
    free(text);
    cr_expect_eq(
        explained((struct look_request){.variant = VARIANT_REFERENCE, .core = "neoverse-n1"}, &text, &err),
        0);
    expect_has(text, "The loop is as fast as this core hands out instructions, 4 a cycle");
    free(text);
    cr_expect_eq(
        explained(
            (struct look_request){.variant = VARIANT_BASELINE, .core = "cortex-a55", .case_name = "positive"},
            &text, &err),
        0);
    expect_has(text, "case positive, 1 call, 70 elements");
    free(text);
}

Test(explain, wrong_requests_are_told)
{
    struct error err;
    char *text;
    cr_expect_eq(explained((struct look_request){.core = "cortex-a1"}, &text, &err), 2);
    expect_has(err.text, "cortex-a55");
    free(text);
    if (!can_run())
        scratch_skip("the AArch64 side is not built");
    cr_expect_eq(explained((struct look_request){.case_name = "nothing"}, &text, &err), 2);
    expect_has(err.text, "there is no case `nothing` in 04-accumulators; there are: whole-numbers, positive");
    free(text);
    cr_expect_eq(
        explained((struct look_request){.source = scratch_root, .variant = VARIANT_STUDENT}, &text, &err), 2);
    cr_expect(err.text[0]);
    free(text);
}

/* Student code that is wrong, crashes, does not build. */
Test(explain, broken_code_gets_what_check_would_say)
{
    static const struct {
        const char *source;
        int status;
        const char *says;
    } codes[] = {
        {"float sum(const float *v, size_t n) { return (float)n; }", 0,
         "Its results are wrong: wrong result"},
        {"float sum(const float *v, size_t n) { return v[n + (1 << 28)]; }", 1, ""},
        {"float sum(const float *v, size_t n) { return w; }", 1, "sum.c"},
    };
    struct error err;
    if (!can_run())
        scratch_skip("the AArch64 side is not built");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char source[512], *text;
        snprintf(source, sizeof source, "#include \"exercise.h\"\n%s\n", codes[i].source);
        scratch_write("sum.c", source);
        cr_expect_eq(
            explained((struct look_request){.source = scratch_root, .variant = VARIANT_STUDENT}, &text, &err),
            codes[i].status, "%zu: %s%s", i, err.text, text);
        expect_has(text, codes[i].says);
        cr_expect(text[0], "%zu", i);
        free(text);
    }
}
