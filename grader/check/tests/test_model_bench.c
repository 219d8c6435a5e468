#include "grader/tests/check_kit.h"

#include "grader/build/build.h"
#include "grader/check/model_bench.h"
#include "grader/core/core_file.h"
#include "grader/tests/built.h"

TestSuite(model_bench, .init = before, .fini = after);

static bool takes_anything(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    (void)call;
    (void)why;
    return true;
}

static bool needs_every_second(const struct call *call, unsigned buffer, size_t line)
{
    (void)call;
    return buffer == 0 && line % 2 == 0;
}

/* Which lines the case of the next measurement needs, what it slows down, and what it took; what it may take,
 * and how. */
static bool (*needs)(const struct call *call, unsigned buffer, size_t line);
static const char *const *slowed;
static struct model_measured measured;
static uint64_t budget = 1000000;
static bool warm_up;

/* Exercise 4 with this function, its results taken for right whatever they are: as if they had been known.
 * Each element is an operation of this family. */
static enum model_outcome measure(const char *code, const char *family, struct fault_text *text)
{
    struct error err;
    struct core core;
    struct selection selection;
    struct build_result built;
    struct exercise *exercise = exercise_read(".", "04-accumulators", &err);
    cr_assert(exercise && core_read(".", "neoverse-n1", &core, &err), "%s", err.text);
    const struct case_table *table = exercise_cases(exercise, build, &err);
    cr_assert(table, "%s", err.text);
    struct case_def def = *case_find(table, "whole-numbers");
    def.operations = 1;
    def.family = family;
    def.verify = takes_anything;
    def.slowed = slowed;
    def.needs_line = needs;
    scratch_write("sum.c", code);
    build_select(exercise, scratch_root, ISA_AARCH64, &selection);
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
    build_variant(workdir, ".", exercise, VARIANT_STUDENT, &selection, ISA_AARCH64, model_defines, &built);
    cr_assert_eq(built.outcome, BUILD_OK, "%s", built.diagnostics);
    const struct model_task task = {.def = &def,
                                    .core = &core,
                                    .size = {.elements = 4096, .calls = 2, .warm_up = warm_up},
                                    .seed = 1,
                                    .budget = budget};
    enum model_outcome outcome = model_measure(&task, built.program, arena, &measured, text);
    build_result_free(&built);
    workdir_destroy(workdir);
    selection_free(&selection);
    exercise_free(exercise);
    return outcome;
}

#define SUM(FROM, STEP)                                                                                      \
    "#include \"exercise.h\"\n"                                                                              \
    "float sum(const float *values, size_t n)\n"                                                             \
    "{\n"                                                                                                    \
    "    float s = 0;\n"                                                                                     \
    "    for (size_t i = " FROM "; i < n; i += " STEP ")\n"                                                  \
    "        s += values[i];\n"                                                                              \
    "    return s;\n"                                                                                        \
    "}\n"

Test(model_bench, an_answer_comes_from_all_of_its_input)
{
    struct fault_text text;
    if (!is_built("04-accumulators", "aarch64"))
        scratch_skip("the AArch64 side is not built");
    cr_expect_eq(measure(SUM("0", "1"), NULL, &text), MODEL_MEASURED, "%s", text.message);
    cr_expect_eq(measure(SUM("3", "16"), NULL, &text), MODEL_MEASURED, "one word of each line: %s",
                 text.message);

    cr_expect_eq(measure(SUM("0", "32"), NULL, &text), MODEL_RULE, "%s", text.message);
    expect_has(text.message, "128 of the 256 cache lines of `values` were not read");
    cr_expect_eq(measure(SUM("16", "1"), NULL, &text), MODEL_RULE);
    expect_has(text.message, "1 of the 256 cache lines");
    cr_expect_eq(
        measure(
            "#include \"exercise.h\"\nfloat sum(const float *v, size_t n)\n{ (void)v; return (float)n; }\n",
            NULL, &text),
        MODEL_RULE);
    expect_has(text.message, "256 of the 256 cache lines");
}

Test(model_bench, what_a_call_does_not_need_is_not_read)
{
    struct fault_text text;
    if (!is_built("04-accumulators", "aarch64"))
        scratch_skip("the AArch64 side is not built");
    needs = needs_every_second;
    cr_expect_eq(measure(SUM("0", "32"), NULL, &text), MODEL_MEASURED, "%s", text.message);
    cr_expect_eq(measure(SUM("0", "1"), NULL, &text), MODEL_WRONG);
    expect_has(text.message, "128 of the 256 cache lines of `values` were read, or asked for");
    cr_expect_eq(measure(SUM("16", "32"), NULL, &text), MODEL_RULE, "and what it needs is told first");
    expect_has(text.message, "128 of the 256 cache lines of `values` were not read");
    needs = NULL;
}

/* The sum of 8,192 elements takes as many additions; one of each second element half of them. */
static uint64_t cycles_of_sum(const char *family)
{
    const char *const families[] = {family, NULL};
    struct fault_text text;
    slowed = families;
    cr_expect_eq(measure(SUM("0", "1"), NULL, &text), MODEL_MEASURED, "%s", text.message);
    slowed = NULL;
    return measured.counts.value[MODEL_CYCLES];
}

Test(model_bench, latencies_that_are_drawn)
{
    if (!is_built("04-accumulators", "aarch64"))
        scratch_skip("the AArch64 side is not built");
    const uint64_t elements = 8192, plain = cycles_of_sum(NULL), slow = cycles_of_sum("fp-add");
    cr_expect_geq(slow, plain + elements * 9 / 10, "%llu and %llu", (unsigned long long)plain,
                  (unsigned long long)slow);
    cr_expect_leq(slow, plain + elements * 13);
    cr_expect_eq(slow, cycles_of_sum("fp-add"), "the same seed draws the same");
    cr_expect_eq(plain, cycles_of_sum("fp-sqrt"), "of which there is none");
}

Test(model_bench, every_operation_is_executed)
{
    struct fault_text text;
    cr_expect_eq(measure(SUM("0", "1"), "fp-add", &text), MODEL_MEASURED, "%s", text.message);
    cr_expect_eq(measure(SUM("0", "1"), "fp", &text), MODEL_MEASURED, "%s", text.message);
    cr_expect_eq(measure(SUM("0", "1"), "fp-mul", &text), MODEL_RULE);
    expect_has(text.message, "0 instructions of the kind `fp-mul` were executed, of 8192");
}

/* Warm-up and counted calls have a half of it each: neither can take what is all of it. */
Test(model_bench, a_budget_is_for_the_warm_up_too)
{
    struct fault_text text;
    if (!is_built("04-accumulators", "aarch64"))
        scratch_skip("the AArch64 side is not built");
    warm_up = true;
    cr_expect_eq(measure(SUM("0", "1"), NULL, &text), MODEL_MEASURED, "%s", text.message);
    budget = measured.spent;
    cr_expect_eq(measure(SUM("0", "1"), NULL, &text), MODEL_MEASURED, "%s", text.message);
    budget = measured.spent * 3 / 4;
    cr_expect_eq(measure(SUM("0", "1"), NULL, &text), MODEL_LONG);
    cr_expect_lt(measured.spent, budget);
}

/* One piece of code without a branch is looked at when it is over. */
Test(model_bench, who_overdraws_leaves_nothing)
{
    cr_expect_eq(model_left(100, &(struct model_measured){.spent = 0}), 100);
    cr_expect_eq(model_left(100, &(struct model_measured){.spent = 99}), 1);
    cr_expect_eq(model_left(100, &(struct model_measured){.spent = 100}), 0);
    cr_expect_eq(model_left(100, &(struct model_measured){.spent = 101}), 0);
    cr_expect_eq(model_left(0, &(struct model_measured){.spent = UINT64_MAX}), 0);
}
