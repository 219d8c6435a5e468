#include "grader/sweep/sweep.h"

#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/core/core_file.h"
#include "grader/exercise/layout.h"
#include "grader/base/seed_text.h"
#include "grader/check/model_bench.h"
#include "grader/base/spawn.h"
#include "grader/sweep/sweep_internal.h"
#include "grader/base/textfile.h"
#include "harness/base/progress.h"

enum { EXIT_USAGE = 2, EXIT_SUITE = 4 };
enum { BUDGET = 200 * 1000 * 1000 }; /* instructions of one value */
#define NEARLY 1.03                  /* as good as the best */

/* ---- building ---- */

/* A source for the sweep alone lies in <solution>/sweep/; without one for this ISA the reference itself has
 * the parameter. */
static bool has_own_source(const char *folder, const struct exercise *exercise, enum isa isa)
{
    char path[PATH_MAX];
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        snprintf(path, sizeof path, "%s/%s/%s.S", folder, isa_name(isa), exercise->sources[i]);
        if (access(path, F_OK) == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s.c", folder, exercise->sources[i]);
        if (access(path, F_OK) != 0)
            return false;
    }
    return true;
}

static char *build_one(const struct sweep *sweep, const struct sweep_request *request,
                       struct workdir *workdir, enum variant variant, const struct exercise *exercise,
                       const char *define, struct error *err)
{
    const char *const defines[] = {define, NULL};
    enum isa isa = sweep->core ? ISA_AARCH64 : isa_native();
    struct build_result built;
    build_variant(workdir, request->root, exercise, variant, NULL, isa, define ? defines : NULL, &built);
    char *program = built.program;
    built.program = NULL;
    if (!program)
        error_set(err, "%s", built.diagnostics);
    build_result_free(&built);
    return program;
}

static bool build_all(struct sweep *sweep, const struct sweep_request *request, struct workdir *workdir,
                      struct error *err)
{
    const struct exercise *exercise = sweep->exercise;
    const struct sweep_spec *spec = exercise->sweep;
    struct exercise parametrised = *exercise;
    char *own = textfile_join(exercise->solution, "sweep");
    bool good = own != NULL || error_set(err, "out of memory");

    if (own && has_own_source(own, exercise, sweep->core ? ISA_AARCH64 : isa_native()))
        parametrised.solution = own;
    for (unsigned i = 0; good && i < sweep->count; i++) {
        char define[128];
        progress("%s: building %s %u", exercise->id, spec->says, spec->values[i]);
        snprintf(define, sizeof define, "-D%.80s=%u", spec->parameter, spec->values[i]);
        sweep->points[i].program =
            build_one(sweep, request, workdir, VARIANT_REFERENCE, &parametrised, define, err);
        good = sweep->points[i].program != NULL;
    }
    if (good && exercise->baseline) {
        sweep->baseline_program = build_one(sweep, request, workdir, VARIANT_BASELINE, exercise, NULL, err);
        good = sweep->baseline_program != NULL;
    }
    free(own);
    return good;
}

/* ---- on a model core ---- */

static bool measure_one(const struct sweep *sweep, const char *program, struct arena *arena, double *time,
                        struct error *err)
{
    const struct model_task task = {.def = sweep->def,
                                    .core = sweep->core,
                                    .size = sweep->bound->model,
                                    .seed = sweep->seed,
                                    .budget = BUDGET};
    struct model_measured measured;
    struct fault_text text;
    if (model_measure(&task, program, arena, &measured, &text) != MODEL_MEASURED)
        return error_set(err, "%.1000s", text.message);
    *time = (double)measured.counts.value[MODEL_CYCLES] / (double)measured.elements;
    return true;
}

bool sweep_measure_core(struct sweep *sweep, struct arena *arena, struct error *err)
{
    for (unsigned i = 0; i < sweep->count; i++) {
        struct sweep_point *point = &sweep->points[i];
        progress("%s: %s %u on %s", sweep->exercise->id, sweep->exercise->sweep->says, point->value,
                 sweep->where);
        if (!measure_one(sweep, point->program, arena, &point->time, err))
            return false;
        point->low = point->high = point->time;
    }
    return !sweep->baseline_program ||
           measure_one(sweep, sweep->baseline_program, arena, &sweep->baseline, err);
}

/* ---- what comes of it ---- */

static enum op_class class_by_name(const char *name)
{
    for (unsigned i = 0; i < OP_CLASS_COUNT; i++)
        if (strcmp(op_class_name((enum op_class)i), name) == 0)
            return (enum op_class)i;
    return OP_NOP;
}

static void predict(struct sweep *sweep)
{
    const struct sweep_spec *spec = sweep->exercise->sweep;
    sweep->predicted = NAN;
    if (spec->formula == SWEEP_NO_FORMULA)
        return;
    if (!sweep->core) {
        snprintf(sweep->formula, sizeof sweep->formula,
                 "No prediction: this processor's latencies are not known; a model core's are (CORE=%s).",
                 sweep->exercise->core);
    } else if (spec->formula == SWEEP_LATENCY_THROUGHPUT) {
        const struct core_class *one = &sweep->core->classes[class_by_name(spec->op_class)][0];
        int ports = __builtin_popcount(one->ports);
        double each = ports ? (double)one->uops * one->busy / ports : 1;
        sweep->predicted = ceil(one->latency / each);
        snprintf(sweep->formula, sizeof sweep->formula,
                 "Predicted: latency of %s / cycles between two of them = %u / %.2f, rounded up: %.0f.",
                 spec->op_class, one->latency, each, sweep->predicted);
    } else {
        double least = INFINITY;
        for (unsigned i = 0; i < sweep->count; i++)
            least = fmin(least, sweep->points[i].time);
        sweep->predicted = ceil(sweep->core->dram / least);
        snprintf(sweep->formula, sizeof sweep->formula,
                 "Predicted: latency of memory / cycles of an element at best = %u / %.1f, rounded up: %.0f.",
                 sweep->core->dram, least, sweep->predicted);
    }
}

void sweep_judge(struct sweep *sweep)
{
    const struct sweep_point *best = &sweep->points[0];
    for (unsigned i = 1; i < sweep->count; i++)
        if (sweep->points[i].time < best->time)
            best = &sweep->points[i];
    sweep->best = sweep->enough = best->value;
    for (unsigned i = sweep->count; i-- > 0;)
        if (sweep->points[i].time <= best->time * NEARLY)
            sweep->enough = sweep->points[i].value;
    predict(sweep);
}

/* ---- showing ---- */

static void write_table(const struct sweep *sweep, FILE *out)
{
    const struct sweep_spec *spec = sweep->exercise->sweep;
    bool baseline = isfinite(sweep->baseline);
    fprintf(out, "%s on %s, case %s\n\n", sweep->exercise->title, sweep->where, sweep->def->name);
    fprintf(out, "%20s  %10s an element%s\n", spec->says, sweep->unit,
            baseline ? "   against the baseline" : "");
    for (unsigned i = 0; i < sweep->count; i++) {
        const struct sweep_point *point = &sweep->points[i];
        fprintf(out, "%20u  %21.3f", point->value, point->time);
        if (baseline)
            fprintf(out, " %21.2fx", sweep->baseline / point->time);
        fprintf(out, "%s\n",
                point->value == sweep->best     ? "   <- best"
                : point->value == sweep->enough ? "   <- within 3 %"
                                                : "");
    }
    if (baseline)
        fprintf(out, "%20s  %21.3f\n", "baseline", sweep->baseline);
    fputs("\n", out);
    if (sweep->formula[0])
        fprintf(out, "%s\n", sweep->formula);
    if (sweep->noisy)
        fputs(
            "This machine is noisy: some of these times are uncertain by more than 10 %. Close what else is "
            "running, and sweep again.\n",
            out);
}

static char *svg_path(const struct sweep *sweep, const struct sweep_request *request)
{
    char *path = NULL;
    if (request->out)
        return strdup(request->out);
    if (asprintf(&path, "%s/sweep/%s-%s.svg", request->build, sweep->exercise->id,
                 sweep->core ? sweep->core->name : "native") < 0)
        return NULL;
    return path;
}

/* Our own is made; another one has to be there. */
static bool make_folder(const char *path, struct error *err)
{
    char *copy = strdup(path);
    const char *folder = copy ? dirname(copy) : NULL;
    bool good = folder ? textfile_make_folder(folder, err) : error_set(err, "out of memory");
    free(copy);
    return good;
}

static bool write_plots(const struct sweep *sweep, const struct sweep_request *request,
                        const struct workdir *workdir, FILE *out, struct error *err)
{
    if (!spawn_finds("gnuplot")) {
        fputs("For the plot install the package gnuplot-nox.\n", out);
        return !request->out || error_set(err, "OUT=%s is not written: there is no gnuplot", request->out);
    }
    char *text = sweep_plot_text(sweep, workdir, err);
    char *path = text ? svg_path(sweep, request) : NULL;
    const bool good = path != NULL;
    bool written = good && (request->out ? textfile_has_folder(path, "OUT", err) : make_folder(path, err)) &&
                   sweep_plot_svg(sweep, workdir, path, err);
    if (text)
        fprintf(out, "%s\n", text);
    if (written)
        fprintf(out, "The plot as SVG: %s\n", path);
    else if (good && !request->out) /* the suite may be somebody else's: the curve is what was asked for */
        fprintf(out, "No SVG (%s); OUT=FILE.svg writes one where you say.\n", err->text);
    free(path);
    free(text);
    return written || (good && !request->out);
}

/* ---- all of it ---- */

static bool find_bound(struct sweep *sweep, const char *build, struct error *err)
{
    const struct exercise *exercise = sweep->exercise;
    for (unsigned i = 0; i < exercise->bounds_count; i++)
        if (strcmp(exercise->bounds[i].name, exercise->sweep->bound) == 0)
            sweep->bound = &exercise->bounds[i];
    const struct case_table *table = exercise_cases(exercise, build, err);
    sweep->def = table && sweep->bound ? case_find(table, sweep->bound->case_name) : NULL;
    return sweep->def != NULL;
}

static int run(struct sweep *sweep, const struct sweep_request *request, FILE *out, struct error *err)
{
    struct workdir *workdir = workdir_create(err);
    struct arena *arena = workdir ? arena_create(err) : NULL;
    bool good =
        arena && build_all(sweep, request, workdir, err) &&
        (sweep->core ? sweep_measure_core(sweep, arena, err) : sweep_measure_native(sweep, arena, err));
    progress_end();
    if (good) {
        sweep_judge(sweep);
        write_table(sweep, out);
        good = write_plots(sweep, request, workdir, out, err);
    }
    if (arena)
        arena_destroy(arena);
    workdir_destroy(workdir);
    return good ? 0 : EXIT_SUITE;
}

int sweep_exercise(const struct sweep_request *request, const struct exercise *exercise, FILE *out,
                   struct error *err)
{
    struct core core;
    struct sweep sweep = {
        .exercise = exercise, .seed = seed_number(request->seed), .baseline = NAN, .predicted = NAN};
    if (!exercise->sweep) {
        error_set(err, "%s has no parameter to sweep. `make explain EX=%u` shows where its cycles go",
                  exercise->id, exercise->number);
        return EXIT_USAGE;
    }
    if (request->out && !textfile_has_folder(request->out, "OUT", err))
        return EXIT_USAGE;
    if (request->core && !core_read(request->root, request->core, &core, err))
        return EXIT_USAGE;
    sweep.core = request->core ? &core : NULL;
    sweep.where = request->core ? core.name : "this machine";
    sweep.unit = request->core ? "cycles" : "ns";
    sweep.count = exercise->sweep->values_count < SWEEP_VALUES ? exercise->sweep->values_count : SWEEP_VALUES;
    for (unsigned i = 0; i < sweep.count; i++)
        sweep.points[i].value = exercise->sweep->values[i];
    int status = find_bound(&sweep, request->build, err) ? run(&sweep, request, out, err) : EXIT_USAGE;
    for (unsigned i = 0; i < sweep.count; i++)
        free(sweep.points[i].program);
    free(sweep.baseline_program);
    return status;
}
