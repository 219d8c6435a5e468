#include "grader/tests/built.h"
#include "grader/tests/scratch.h"

#include <math.h>
#include "grader/core/core_file.h"
#include "grader/base/spawn.h"
#include "grader/sweep/sweep_internal.h"

TestSuite(sweep, .init = scratch_make, .fini = scratch_remove);

/* A curve that falls to 0.5 at four: 2, 1, 0.7, 0.5, 0.5, ... */
static struct sweep curve(const struct core *core, struct exercise *exercise, struct sweep_spec *spec)
{
    static const struct case_def def = {.name = "a-case"};
    struct sweep sweep = {.exercise = exercise,
                          .def = &def,
                          .core = core,
                          .where = core ? core->name : "this machine",
                          .unit = core ? "cycles" : "ns",
                          .count = 6,
                          .baseline = 2.5};
    *spec = (struct sweep_spec){.parameter = (char *)"K",
                                .says = (char *)"chains \"K\"",
                                .formula = SWEEP_LATENCY_THROUGHPUT,
                                .op_class = (char *)"fp-add"};
    *exercise = (struct exercise){.title = (char *)"Chains", .core = (char *)"neoverse-n1", .sweep = spec};
    for (unsigned i = 0; i < sweep.count; i++)
        sweep.points[i] = (struct sweep_point){.value = i + 1, .time = fmax(2.0 / (i + 1), 0.5)};
    sweep.points[5].time = 0.49;
    return sweep;
}

Test(sweep, the_best_value_and_the_smallest_nearly_as_good)
{
    struct core core;
    struct error err;
    struct exercise exercise;
    struct sweep_spec spec;
    cr_assert(core_read(".", "neoverse-n1", &core, &err), "%s", err.text);
    struct sweep sweep = curve(&core, &exercise, &spec);
    sweep_judge(&sweep);
    cr_expect_eq(sweep.best, 6);
    cr_expect_eq(sweep.enough, 4);
    cr_expect_eq(sweep.predicted, 4, "latency 2, two a cycle");
    expect_has(sweep.formula, "latency of fp-add / cycles between two of them = 2 / 0.50, rounded up: 4");
    spec.formula = SWEEP_MEMORY_LATENCY;
    sweep_judge(&sweep);
    cr_expect_eq(sweep.predicted, ceil(core.dram / 0.49));
    spec.formula = SWEEP_NO_FORMULA;
    sweep_judge(&sweep);
    cr_expect(isnan(sweep.predicted));
}

Test(sweep, natively_nothing_is_predicted_and_why)
{
    struct exercise exercise;
    struct sweep_spec spec;
    struct sweep sweep = curve(NULL, &exercise, &spec);
    sweep_judge(&sweep);
    cr_expect(isnan(sweep.predicted));
    expect_has(sweep.formula, "CORE=neoverse-n1");
}

Test(sweep, the_script_for_gnuplot)
{
    struct core core = {.name = "a-core"};
    struct exercise exercise;
    struct sweep_spec spec;
    struct sweep sweep = curve(&core, &exercise, &spec);
    sweep.predicted = 4;
    char *script = sweep_plot_script(&sweep, "dumb 79 24");
    cr_assert(script);
    expect_has(script, "set terminal dumb 79 24\nset title \"Chains\"");
    expect_has(script, "set xlabel \"chains \\\"K\\\"\"\n");
    expect_has(script, "$curve << END\n1 2.000000\n2 1.000000\n");
    expect_has(script, "set xrange [0.5:6.5]");
    expect_has(script, "\"predicted: 4\"");
    expect_has(script, "2.500000 with lines dashtype 3 title \"baseline\"");
    free(script);
    sweep.points[5].value = 64;
    sweep.predicted = sweep.baseline = NAN;
    script = sweep_plot_script(&sweep, "svg");
    expect_has(script, "set logscale x 2\n");
    cr_expect_not(strstr(script, "predicted"));
    cr_expect_not(strstr(script, "baseline"));
    free(script);
}

/* ---- all of it ---- */

/* Sweep exercise 4 with two values: the exit status; *text is what it wrote. */
static int swept(struct sweep_request request, char **text, struct error *err)
{
    size_t size;
    request.seed = MODEL_SEED;
    struct exercise *exercise = exercise_read(".", "04-accumulators", err);
    cr_assert(exercise && exercise->sweep, "%s", err->text);
    exercise->sweep->values[1] = 4;
    exercise->sweep->values_count = 2;
    exercise->bounds[0].elements = 8192;
    FILE *out = open_memstream(text, &size);
    cr_assert(out);
    request.root = ".";
    request.build = build_folder();
    *err = (struct error){""};
    int status = sweep_exercise(&request, exercise, out, err);
    cr_assert_eq(fclose(out), 0);
    exercise_free(exercise);
    return status;
}

Test(sweep, exercise_4_on_a_core)
{
    struct error err;
    char *text, svg[PATH_MAX + 32];
    if (!is_built("04-accumulators", "aarch64") || !spawn_finds("aarch64-linux-gnu-gcc"))
        scratch_skip("the AArch64 side is not built");
    bool plotted = spawn_finds("gnuplot");
    snprintf(svg, sizeof svg, "%s", scratch_path("b.svg"));
    const struct sweep_request request = {.core = "neoverse-n1", .out = svg};
    cr_expect_eq(swept(request, &text, &err), plotted ? 0 : 4, "%s", err.text);
    expect_has(text, "Accumulators on neoverse-n1, case whole-numbers");
    expect_has(text, "Predicted: latency of fp-add / cycles between two of them = 2 / 0.50, rounded up: 4.");
    expect_has(text, "<- best");
    expect_has(text, "baseline");
    if (plotted)
        expect_has(text, svg);
    free(text);
    setenv("PATH", scratch_root, 1); /* no compiler either */
    cr_expect_eq(swept(request, &text, &err), 4);
    expect_has(err.text, "gcc-aarch64-linux-gnu");
    free(text);
}

Test(sweep, a_folder_that_is_not_there_is_not_made)
{
    struct error err;
    char *text, svg[PATH_MAX + 32];
    snprintf(svg, sizeof svg, "%s", scratch_path("a/b.svg"));
    const struct sweep_request request = {.core = "neoverse-n1", .out = svg};
    cr_expect_eq(swept(request, &text, &err), 2);
    expect_has(err.text, "/a/b.svg: a file cannot be written there: ");
    cr_expect_neq(access(scratch_path("a"), F_OK), 0);
    free(text);
}

/* Whatever the times are. */
Test(sweep, exercise_4_natively, .timeout = 60)
{
    struct error err;
    char *text, svg[PATH_MAX + 32];
    if (!is_built("04-accumulators", isa_name(isa_native())))
        scratch_skip("the runner is not built");
    bool plotted = spawn_finds("gnuplot");
    snprintf(svg, sizeof svg, "%s", scratch_path("native.svg"));
    cr_expect_eq(swept((struct sweep_request){.out = svg}, &text, &err), plotted ? 0 : 4, "%s", err.text);
    expect_has(text, "Accumulators on this machine");
    expect_has(text, "No prediction");
    free(text);
}

Test(sweep, what_cannot_be_swept_is_told)
{
    struct error err;
    struct sweep_request request = {.root = ".", .build = "/nowhere", .seed = MODEL_SEED};
    struct exercise *exercise = exercise_read(".", "03-branch-elimination", &err);
    cr_assert(exercise, "%s", err.text);
    cr_expect_eq(sweep_exercise(&request, exercise, stdout, &err), 2);
    expect_has(err.text, "03-branch-elimination has no parameter to sweep");
    exercise_free(exercise);
    char *text;
    cr_expect_eq(swept((struct sweep_request){.core = "m68k"}, &text, &err), 2);
    expect_has(err.text, "neoverse-n1");
    free(text);
    exercise = exercise_read(".", "04-accumulators", &err);
    cr_expect_eq(sweep_exercise(&request, exercise, stdout, &err), 2, "no cases");
    exercise_free(exercise);
}
