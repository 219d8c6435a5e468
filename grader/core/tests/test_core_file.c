#include "grader/tests/scratch.h"

#include "grader/core/core_file.h"
#include "grader/base/textfile.h"
#include "harness/emu/decode.h"

TestSuite(core_file, .init = scratch_make, .fini = scratch_remove);

#define A55 "harness/model/cores/cortex-a55.yml"

/* The file of a core with `from` replaced by `to`; malloc'ed. */
static char *changed(const char *file, const char *from, const char *to)
{
    struct error err;
    char *text = textfile_read(file, 1 << 16, NULL, &err), *result = NULL;
    cr_assert(text, "%s", err.text);
    const char *at = strstr(text, from);
    cr_assert(at, "`%s` is not in %s", from, file);
    cr_assert(asprintf(&result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    free(text);
    return result;
}

static bool read_changed(const char *file, const char *from, const char *to, struct core *core,
                         struct error *err)
{
    char *text = changed(file, from, to);
    scratch_write("harness/model/cores/some-core.yml", text);
    free(text);
    *err = (struct error){""};
    return core_read(scratch_root, "some-core", core, err);
}

Test(core_file, all_cores_are_read)
{
    struct error err;
    char **names = core_list(".", &err);
    cr_assert(names, "%s", err.text);
    unsigned count = 0;
    for (char **name = names; *name; name++, count++) {
        struct core core;
        cr_expect(core_read(".", *name, &core, &err), "%s", err.text);
        cr_expect_str_eq(core.name, *name);
        cr_expect_leq(core.llc.bytes, 2u << 20, "%s: the articles' 4 MiB have to exceed it", *name);
    }
    textfile_names_free(names);
    cr_expect_geq(count, 4);
}

Test(core_file, values_arrive)
{
    struct error err;
    struct core core;
    cr_assert(core_read(".", "cortex-a55", &core, &err), "%s", err.text);
    cr_expect_str_eq(core.name, "cortex-a55");
    cr_expect_str_eq(core.title, "Arm Cortex-A55");
    cr_expect_eq(core.kind, CORE_IN_ORDER);
    cr_expect_eq(core.features, FEATURE_LSE | FEATURE_CRC32 | FEATURE_FP16 | FEATURE_DOTPROD | FEATURE_RDM |
                                    FEATURE_RCPC | FEATURE_CRYPTO);
    cr_expect_eq(core.width, 2);
    cr_expect_eq(core.window, 0);
    cr_expect_eq(core.base_ports, 0);
    cr_expect_eq(core.l1d.bytes, 32768);
    cr_expect_eq(core.l1d.ways, 4);
    cr_expect_eq(core.l1d.latency, 0);
    cr_expect_eq(core.tlb.second_ways, 4);
    cr_expect_eq(core.classes[OP_NOP][0].ports, 0);
    cr_expect_eq(core.classes[OP_ALU][0].ports, 3);
    cr_expect_eq(core.classes[OP_ALU][0].uops, 1);
    cr_expect_eq(core.classes[OP_ALU][0].busy, 1);
    cr_expect_not(core.classes[OP_V_FP_ADD][0].first);
    cr_expect(core.classes[OP_V_FP_ADD][1].first);
    cr_expect_eq(core.classes[OP_FP_ADD][1].latency, core.classes[OP_FP_ADD][0].latency, "no `.q`: the same");
    cr_expect_eq(core.predictor.tables, 4);
    cr_expect_lt(core.predictor.history[2], core.predictor.history[3]);

    cr_assert(core_read(".", "neoverse-n1", &core, &err), "%s", err.text);
    cr_expect_eq(core.kind, CORE_OUT_OF_ORDER);
    cr_expect_eq(core.window, 128);
    cr_expect_eq(core.base_ports, 7);
    cr_expect_eq(core.base_uops, 1);
    cr_expect_eq(core.l2.latency, 13);
    cr_expect_eq(core.dram, 237);
    cr_expect_eq(core.classes[OP_FP_FMA][0].accumulate, 2);
    cr_expect_eq(core.classes[OP_V_MUL][1].busy, 2);

    cr_assert(core_read(".", "cortex-a72", &core, &err), "%s", err.text);
    cr_expect_eq(core.features, FEATURE_CRC32 | FEATURE_CRYPTO);
}

Test(core_file, ports_taken_besides)
{
    struct error err;
    struct core core;
    cr_assert(read_changed(A55, "[load-signed], latency: 5, ports: [l]",
                           "[load-signed], latency: 5, ports: [l], also: [i0, i1]", &core, &err),
              "%s", err.text);
    cr_expect_eq(core.classes[OP_LOAD_SIGNED][0].also_ports, 3);
    cr_expect_eq(core.classes[OP_LOAD][0].also_ports, 0);
}

Test(core_file, latencies_by_the_quotient)
{
    struct error err;
    struct core core;
    cr_assert(core_read(".", "cortex-a55", &core, &err), "%s", err.text);
    cr_expect_eq(core.classes[OP_DIV][0].latency, 3);
    cr_expect_eq(core.classes[OP_DIV][0].most, 11);
    cr_expect_eq(core.classes[OP_DIV][0].digit, 4);
    cr_expect(core.classes[OP_DIV][0].serial);
    cr_expect_not(core.classes[OP_MUL][0].serial);
    cr_expect_eq(core.classes[OP_DIV_SIGNED_WIDE][0].most, 20);
    cr_expect_eq(core.classes[OP_FP_DIV][0].most, 0);
}

/* What a slip of the pen brings: the line, the key and what was expected. */
static const struct slip {
    const char *from, *to, *message;
} slips[] = {
    {"title: Arm Cortex-A55\n", "", ":3: title: is missing: expected a line of text"},
    {"title: Arm Cortex-A55", "title: \" \"", ":3: title: expected a line of text"},
    {"title: Arm Cortex-A55",
     "title: Arm Cortex-A55, of which there are quite some more than a hundred kinds", "title: is too long"},
    {"kind: in-order", "kind: sideways", ":5: kind: expected in-order or out-of-order, found `sideways`"},
    {"kind: in-order\n", "", "kind: is missing"},
    {"kind: in-order", "kind: out-of-order", "pipeline.window.is: expected at least the width"},
    {"window:      {is: 0,", "window:      {is: 16,", "pipeline.window.is: expected 0 with `kind: in-order`"},
    {"fetch-block: {is: 0,", "fetch-block: {is: 12,",
     "pipeline.fetch-block.is: expected 0 or a power of two from 4 on, found 12"},
    {"features: [lse,", "features: [lsf,",
     ":6: features[1]: expected lse, crc32, fp16, dotprod, rdm, rcpc, crypto, sha3, fhm, fcma, jscvt, flagm, "
     "rcpc2 or frintts, found `lsf`"},
    {"features: [lse, crc32, fp16, dotprod, rdm, rcpc, crypto]\n", "", "features: is missing"},
    {"{name: guide,", "{name: estimate,", ":9: sources[1].name: expected a short name"},
    {"{name: trm,", "{name: guide,", ":10: sources[2].name: `guide` is there already, as item 1"},
    {"{name: trm, is: Arm Cortex-A55 Technical Reference Manual}", "{name: trm}",
     "sources[2].is: is missing"},
    {"sources:", "sourcs:", "sourcs: there is no such key: expected title, about, kind, sources,"},
    {"{name: i1, is: integer}", "{name: i0, is: integer}", "ports[2].name: `i0` is there already, as item 1"},
    {"{name: i1, is: integer}", "{name: integers, is: integer}",
     "ports[2].name: expected a name of at most 7 letters"},
    {"{name: i1, is: integer}", "{name: i1}", "ports[2].is: is missing"},
    {"width:       {is: 2, source: guide}", "width:       {is: 0, source: guide}",
     ":18: pipeline.width.is: expected a whole number from 1 to 16, found `0`"},
    {"width:       {is: 2, source: guide}", "width:       {is: 1.5, source: guide}", "found `1.5`"},
    {"width:       {is: 2, source: guide}", "width:       {is: 2}",
     ":18: pipeline.width.source: is missing: expected where this figure is from: one of `sources`, or "
     "estimate"},
    {"width:       {is: 2, source: guide}", "width:       {is: 2, source: gossip}",
     "pipeline.width.source: expected estimate, guide, trm, a53, slothy, measured, llvm or ramspeed, found "
     "`gossip`"},
    {"width:       {is: 2, source: guide}", "width:       {source: guide}", "pipeline.width.is: is missing"},
    {"  width:       {is: 2, source: guide}\n", "", "pipeline.width: is missing: expected {is: a whole"},
    {"  mispredict:  {is: 8, source: llvm}\n", "",
     ":17: pipeline.mispredict: is missing: expected {is: a whole number from 0 to 64, source: ...} (cycles "
     "from"},
    {"base-ports:  {is: [none]", "base-ports:  {is: [i9]", "pipeline.base-ports.is[1]: expected i0, i1, m"},
    {"base-ports:  {is: [none], source: guide}", "base-ports:  {is: [], source: guide}",
     "pipeline.base-ports.is: expected a list of at least 1: `[none]` for none, found 0"},
    {"base-ports:  {is: [none]", "base-ports:  {is: [none, i0]",
     "pipeline.base-ports.is[1]: expected i0, i1"},
    {"line:      {is: 64,", "line:      {is: 48,", "memory.line.is: expected a power of two"},
    {"dram:      {is: 200,", "dram:      {is: 36,",
     "memory.dram.is: expected more than the latencies of the caches"},
    {"l1d: {kib: 32,", "l1d: {kib: 0,", "caches.l1d.kib: expected a whole number from 1"},
    {"l1d: {kib: 32,", "l1d: {kib: 33,", "caches.l1d.kib: expected the ways times a power of two"},
    {"l1d: {kib: 32, ways: 4,", "l1d: {kib: 32, ways: 4, latency: 3,",
     "caches.l1d.latency: expected none: a hit in the first level"},
    {"l1d: {kib: 32, ways: 4,", "l1d: {kib: 32, ways: 32,",
     "caches.l1d.ways: expected a whole number from 1 to 16, found `32`"},
    {"l2:  {kib: 256, ways: 4,", "l2:  {kib: 256, ways: 3,",
     "caches.l2.kib: expected the ways times a power"},
    {"second-ways:    {is: 4,", "second-ways:    {is: 32,",
     "tlb.second-ways.is: expected a whole number from 0 to 16, found `32`"},
    {"second-entries: {is: 1024,", "second-entries: {is: 1020,",
     "tlb.second-entries.is: expected a multiple of second-ways by a power of two, found 1020 in 4 "
     "ways"},
    {"base-bits:    {is: 12,", "base-bits:    {is: 17,",
     "predictor.base-bits.is: expected a whole number from 1 to 16, found `17`"},
    {"kind: in-order", "kind: &k in-order", ":5: expected plain values, found an alias"},
    {"dram:      {is: 200,", "dram:      {is: 200, is: 200,",
     "memory.dram.is: expected once, found a second time"},
    {"  l1d: {kib: 32, ways: 4, source: trm}\n", "", "caches.l1d: is missing: expected {kib"},
    {"ways: 4, latency: 18,", "ways: 4,", "caches.l2.latency: is missing"},
    {"ways: 4, latency: 18,", "ways: 4, latency: 40,", "caches.llc.latency: expected more than that of l2"},
    {"second-entries: {is: 1024,", "second-entries: {is: 1023,",
     "tlb.second-entries.is: expected a multiple"},
    {"{is: [5, 12, 27, 60],", "{is: [5, 12, 27],",
     "predictor.history: has too few or too many: expected {is: [...], source: ...} with one number for each "
     "of the 4 tables"},
    {"{is: [5, 12, 27, 60],", "{is: [5, 12, 12, 60],",
     "predictor.history.is[3]: expected a whole number from 13 to 255, found `12`"},
    {"  history:      {is: [5, 12, 27, 60], source: estimate}\n", "", "predictor.history: is missing"},
    {"{is: [5, 12, 27, 60], source: estimate}", "{is: [5, 12, 27, 60]}",
     "predictor.history.source: is missing"},
    {"{for: [mul-high],", "{for: [mul-hihg],", "there is no class `mul-hihg`; harness/model/op.h lists them"},
    {"{for: [mul-high],", "{for: [mul],", "`mul` has its row already: classes[7]"},
    {"{for: [mul-high],", "{for: [crc.q],", "classes: no row is for `mul-high`: every class needs"},
    {"{for: [mul-high],", "{", "classes[8].for: is missing: expected a list of at least 1: classes"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, busy: 0, ports: [m]",
     "classes[8].busy: expected a whole number from 1 to 200, found `0`"},
    {"latency: 6, busy: 4, ports: [m]", "latency: six, busy: 4, ports: [m]",
     "classes[8].latency: expected a whole number from 0 to 200, found `six`"},
    {"latency: 6, busy: 4, ports: [m]", "busy: 4, ports: [m]", "classes[8].latency: is missing"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, busy: 4, ports: [q]",
     "classes[8].ports[1]: expected i0, i1, m, d, b, l, s, v0, v1 or f, found `q`"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, busy: 4", "classes[8].ports: is missing"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, uops: 3, slots: 2, ports: [m]",
     "classes[8].slots: expected at least the `uops`, 3, found `2`"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, late: 4, ports: [m]",
     "classes[8].late: expected a whole number from 1 to 3, found `4`"},
    {"{name: i0, is: integer}", "{name: i0, queue: integers, is: integer}",
     "ports[1].queue: expected none, integer, memory or vector, found `integers`"},
    {"most: 11, digit: 4", "most: 2, digit: 4",
     "classes[9].most: `div`: expected at least the latency, 3, found 2"},
    {"most: 11, digit: 4", "most: 11",
     "classes[9].digit: `div`: expected both `most` and `digit` or none of them, found one"},
    {"most: 11, digit: 4", "digit: 4",
     "classes[9].most: `div`: expected both `most` and `digit` or none of them, found one"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, accumulate: 7, ports: [m]",
     "classes[8].accumulate: `mul-high`: expected at most the latency, 6, found 7"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, first: perhaps, ports: [m]",
     "classes[8].first: expected false or true"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, uops: 33, ports: [m]", "classes[8].uops"},
    {"latency: 6, busy: 4, ports: [m]", "latency: 6, also: [x], ports: [m]", "classes[8].also[1]"},
    {"latency: 6, busy: 4, ports: [m], source: a53", "latency: 6, busy: 4, ports: [m], source: a54",
     "classes[8].source: expected estimate, guide"},
    {"latency: 6, busy: 4, ports: [m], source: a53", "latency: 6, latency: 6, ports: [m], source: a53",
     "expected once, found a second time"},
};

Test(core_file, slips_are_named)
{
    struct error err;
    struct core core;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        const struct slip *slip = &slips[i];
        cr_expect_not(read_changed(A55, slip->from, slip->to, &core, &err), "`%s` is taken", slip->to);
        expect_has(err.text, slip->message);
        expect_has(err.text, "harness/model/cores/some-core.yml:");
    }
}

Test(core_file, no_sources_and_no_ports)
{
    struct error err;
    struct core core;
    char *text = changed(A55, "x", "x"), *sources = strstr(text, "sources:"),
         *ports = strstr(text, "\nports:"), *classes = strstr(text, "\n# latency");
    cr_assert(sources && ports && classes);
    char *without = NULL;
    cr_assert(asprintf(&without, "%.*s%s", (int)(sources - text), text, strstr(text, "\npipeline:")) > 0);
    scratch_write("harness/model/cores/some-core.yml", without);
    free(without);
    cr_expect_not(core_read(scratch_root, "some-core", &core, &err));
    expect_has(err.text, "sources: is missing");
    cr_assert(asprintf(&without, "%.*s%s", (int)(ports - text), text, classes) > 0);
    scratch_write("harness/model/cores/some-core.yml", without);
    free(without);
    cr_expect_not(core_read(scratch_root, "some-core", &core, &err));
    expect_has(err.text, "ports: is missing: expected a list of 1 to 16");
    free(text);
}

Test(core_file, no_such_core)
{
    struct error err;
    struct core core;
    char **names = core_list(".", &err);
    cr_assert(names, "%s", err.text);
    cr_expect_not(core_read(".", "cortex-a56", &core, &err));
    expect_has(err.text, "there is no core `cortex-a56`; there are: ");
    for (char **name = names; *name; name++)
        expect_has(strstr(err.text, "there are: "), *name);
    textfile_names_free(names);
    cr_expect_not(core_read(".", "../cores/cortex-a55", &core, &err));
    expect_has(err.text, "there is no core `../cores/cortex-a55`");
    cr_expect_not(core_read(scratch_root, "cortex-a55", &core, &err));
    expect_has(err.text, "is this the project's folder?");
    scratch_write("harness/model/cores/README.md", "");
    scratch_write("harness/model/cores/Not_One.yml", "");
    scratch_write("harness/model/cores/name-that-is-longer-than-any-core.yml", "");
    cr_expect_null(core_list(scratch_root, &err));
    expect_has(err.text, "expected files named like cortex-a55.yml, found none");
    scratch_write("harness/model/cores/empty.yml", "");
    cr_expect_not(core_read(scratch_root, "empty", &core, &err));
    expect_has(err.text, "found an empty file");
    core_file_close(NULL);
}

Test(core_file, figures_have_their_sources)
{
    struct error err;
    struct core_file *file = core_file_open(".", "neoverse-v1", &err);
    cr_assert(file, "%s", err.text);
    cr_expect_lt(file->figure_count, CORE_FIGURES, "one more figure would not be shown");
    unsigned estimates = 0;
    for (unsigned i = 0; i < file->figure_count; i++)
        estimates += strcmp(file->figures[i].source, "estimate") == 0;
    cr_expect_gt(estimates, 0);
    cr_expect_str_eq(file->figures[0].key, "width");
    cr_expect_str_eq(file->figures[0].value, "8");
    cr_expect_str_eq(file->figures[0].source, "guide");
    cr_expect_gt(file->rows_count, 40);
    cr_expect_str_eq(core_feature_name(FEATURE_LSE), "lse");
    cr_expect_null(core_feature_name(FEATURE_LSE | FEATURE_CRC32));
    core_file_close(file);
}
