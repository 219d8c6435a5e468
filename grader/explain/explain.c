#include "grader/explain/explain.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "grader/core/core_file.h"
#include "grader/explain/explain_internal.h"
#include "grader/check/inputs.h"
#include "grader/check/model_bench.h"
#include "harness/base/progress.h"

enum { BUDGET = 40 * 1000 * 1000 }; /* instructions, the warm-up's too: twice a check's */
enum { EXPLAINED = 0, EXIT_STUDENT = 1, EXIT_USAGE = 2, EXIT_SUITE = 4 };

struct explaining {
    const struct explain_request *request;
    const struct exercise *exercise;
    struct core core;
    const struct case_def *def;
    struct bound_model size;
    unsigned first; /* of the bounds that are measured with it */
    struct workdir *workdir;
    FILE *out;
    char *untouched; /* which files are as they came, if that is what is looked at; else NULL */
    bool wrong;      /* the results are */
    int status;      /* of what look() did */
    struct error *err;
    struct fault_text text;
    char *program;
};

/* ---- which case ---- */

static bool bound_holds(const struct explaining *explaining, const struct bound_spec *bound)
{
    const char *kind = explaining->core.kind == CORE_IN_ORDER ? "in-order" : "out-of-order";
    return bound->on != BENCH_NATIVE && (!bound->cores[0] || strcmp(bound->cores, kind) == 0);
}

/* The bound on the case that is asked for; else the one for this core that brings most points. */
static const struct bound_spec *choose_bound(const struct explaining *explaining)
{
    const char *name = explaining->request->case_name;
    const struct bound_spec *chosen = NULL;
    for (unsigned i = 0; i < explaining->exercise->bounds_count; i++) {
        const struct bound_spec *bound = &explaining->exercise->bounds[i];
        bool fits = name ? strcmp(bound->case_name, name) == 0 : bound_holds(explaining, bound);
        if (fits && (!chosen || bound->points > chosen->points))
            chosen = bound;
    }
    return chosen;
}

/* A check measures the bounds of one case and size together, with inputs that go by the first of them. */
static unsigned first_measured_with(const struct exercise *exercise, const struct bound_spec *bound)
{
    const struct bound_spec *first = exercise->bounds;
    while (strcmp(first->case_name, bound->case_name) != 0 ||
           first->model.elements != bound->model.elements || first->model.calls != bound->model.calls ||
           first->model.warm_up != bound->model.warm_up)
        first++;
    return (unsigned)(first - exercise->bounds);
}

static bool no_such_case(const struct explaining *explaining, const struct case_table *table)
{
    char names[512] = "";
    size_t length = 0;
    for (size_t i = 0; i < table->count && length < sizeof names - 64; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.60s", i ? ", " : "",
                                   table->defs[i].name);
    return error_set(explaining->err, "there is no case `%.80s` in %s; there are: %s",
                     explaining->request->case_name, explaining->exercise->id, names);
}

static bool choose_case(struct explaining *explaining)
{
    const struct explain_request *request = explaining->request;
    const struct exercise *exercise = explaining->exercise;
    const struct case_table *table = exercise_cases(exercise, request->build, explaining->err);
    if (!table)
        return false;
    const struct bound_spec *bound = choose_bound(explaining);
    const char *name = request->case_name ? request->case_name
                       : bound            ? bound->case_name
                                          : exercise->cases[0];
    explaining->def = case_find(table, name);
    if (!explaining->def)
        return no_such_case(explaining, table);
    explaining->size = bound
                           ? bound->model
                           : (struct bound_model){.elements = exercise->largest, .calls = 1, .warm_up = true};
    if (bound)
        explaining->first = first_measured_with(exercise, bound);
    return true;
}

/* ---- building ---- */

static int build(struct explaining *explaining)
{
    const struct explain_request *request = explaining->request;
    const struct exercise *exercise = explaining->exercise;
    struct selection selection = {0};
    struct build_result built = {0};
    int status = EXPLAINED;

    if (request->variant == VARIANT_STUDENT)
        build_select(exercise, request->source, ISA_AARCH64, &selection);
    if (request->variant == VARIANT_STUDENT && selection.choice == CHOICE_MISSING) {
        error_set(explaining->err, "%s", selection.note);
        status = EXIT_USAGE;
    } else {
        build_variant(explaining->workdir, request->root, exercise, request->variant, &selection, ISA_AARCH64,
                      model_defines, &built);
        if (request->variant == VARIANT_STUDENT && selection.choice == CHOICE_UNTOUCHED)
            explaining->untouched = strdup(selection.note);
        if (built.outcome == BUILD_OK) {
            explaining->program = strdup(built.program);
        } else if (built.outcome == BUILD_FAILED || built.outcome == BUILD_REJECTED) {
            fprintf(explaining->out, "%s\n", built.diagnostics);
            status = EXIT_STUDENT;
        } else {
            error_set(explaining->err, "%s", built.diagnostics);
            status = EXIT_SUITE;
        }
    }
    build_result_free(&built);
    selection_free(&selection);
    return status;
}

/* ---- looking ---- */

static const char *what_it_is(const struct explain_request *request)
{
    static const char *const names[] = {"the baseline", "your code", "the reference"};
    return names[request->variant];
}

static void write_page(struct explaining *explaining, const struct profile *run, const struct image *image,
                       const struct model_counts *counts)
{
    char sentence[512] = "", opinion[256] = "";
    struct listing listing;
    struct error no_loop = {""};

    if (!listing_open(&listing, run, image, explaining->err)) {
        explaining->status = EXIT_SUITE;
        return;
    }
    struct loop_view *view = loop_view(run, image, &no_loop);
    if (view) {
        loop_sentence(run, image, view, sentence, sizeof sentence);
        if (!view->loop.holds_loops)
            mca_ask(explaining->workdir, &listing, view, opinion, sizeof opinion);
    }
    progress_end();
    if (explaining->untouched)
        fprintf(explaining->out, "%s\n", explaining->untouched);
    if (explaining->wrong)
        fprintf(explaining->out, "Its results are wrong: %s\nWhere its cycles go all the same:\n\n",
                explaining->text.message);
    const struct explain_page page = {.exercise = explaining->exercise,
                                      .what = what_it_is(explaining->request),
                                      .case_name = explaining->def->name,
                                      .calls = explaining->size.calls,
                                      .counts = *counts,
                                      .listing = &listing,
                                      .view = view,
                                      .no_loop = no_loop.text,
                                      .sentence = sentence,
                                      .second_opinion = opinion,
                                      .colour = explaining->request->colour};
    explain_page_write(explaining->out, &page);
    free(view);
    listing_close(&listing);
}

static void look(void *state, const struct model_task *task, struct emulator *emulator)
{
    struct explaining *explaining = state;
    struct model_counts counts;
    struct image image;
    struct profile run = {.program = explaining->program,
                          .core = task->core,
                          .elements = (uint64_t)task->size.elements * task->size.calls};
    run.ops = emulator_code(emulator, &run.count);
    run.sites = model_sites(emulator_model(emulator));
    model_count(emulator_model(emulator), &counts);
    if (!image_open(&image, run.program, explaining->err)) {
        explaining->status = EXIT_SUITE;
        return;
    }
    write_page(explaining, &run, &image, &counts);
    image_close(&image);
}

static int run_and_look(struct explaining *explaining, struct arena *arena)
{
    struct model_measured measured;
    struct fault_text ignored;
    uint64_t inputs;
    if (!inputs_seed(explaining->request->seed, explaining->program, &inputs, explaining->err))
        return EXIT_SUITE;
    struct model_task task = {.def = explaining->def,
                              .core = &explaining->core,
                              .size = explaining->size,
                              .seed = inputs_of_bounds(inputs, explaining->first),
                              .budget = BUDGET,
                              .inspect = look,
                              .state = explaining};
    progress("%s: running on %s", explaining->exercise->id, explaining->core.name);
    enum model_outcome outcome =
        model_measure(&task, explaining->program, arena, &measured, &explaining->text);
    if (outcome == MODEL_WRONG) {
        explaining->wrong = task.unverified = true;
        outcome = model_measure(&task, explaining->program, arena, &measured, &ignored);
    }
    progress_end();
    if (outcome == MODEL_MEASURED)
        return explaining->status;
    if (outcome == MODEL_ERROR) {
        error_set(explaining->err, "%s", explaining->text.message);
        return EXIT_SUITE;
    }
    fprintf(explaining->out, "%s\n", explaining->text.message);
    if (explaining->text.next[0])
        fprintf(explaining->out, "%s\n", explaining->text.next);
    return EXIT_STUDENT;
}

int explain_exercise(const struct explain_request *request, const struct exercise *exercise, FILE *out,
                     struct error *err)
{
    struct explaining explaining = {.request = request, .exercise = exercise, .out = out, .err = err};
    const char *core = request->core ? request->core : exercise->core;
    int status = EXIT_USAGE;

    if (!core_read(request->root, core, &explaining.core, err) || !choose_case(&explaining))
        return EXIT_USAGE;
    explaining.workdir = workdir_create(err);
    struct arena *arena = explaining.workdir ? arena_create(err) : NULL;
    if (arena) {
        progress("%s: building", exercise->id);
        status = build(&explaining);
        progress_end();
        if (status == EXPLAINED)
            status = run_and_look(&explaining, arena);
        arena_destroy(arena);
    } else {
        status = EXIT_SUITE;
    }
    free(explaining.untouched);
    free(explaining.program);
    workdir_destroy(explaining.workdir);
    return status;
}
