#include "grader/explain/look.h"

#include <stdlib.h>
#include <string.h>
#include "grader/check/inputs.h"
#include "grader/check/model_bench.h"
#include "grader/core/core_file.h"
#include "harness/base/progress.h"

enum { BUDGET = 40 * 1000 * 1000 }; /* instructions, the warm-up's too: twice a check's */

/* ---- which case ---- */

/* The bound on the case that is asked for; else the one for this core that brings most points. */
static const struct bound_spec *choose_bound(const struct look *look)
{
    const char *name = look->request->case_name;
    const struct bound_spec *chosen = NULL;
    for (unsigned i = 0; i < look->exercise->bounds_count; i++) {
        const struct bound_spec *bound = &look->exercise->bounds[i];
        bool fits = name ? strcmp(bound->case_name, name) == 0 : bound_is_for(bound, &look->core);
        if (fits && (!chosen || bound->points > chosen->points))
            chosen = bound;
    }
    return chosen;
}

/* A check measures the bounds of one case and size together, with inputs that go by the first of them. */
static unsigned first_measured_with(const struct exercise *exercise, const struct bound_spec *bound)
{
    unsigned first = 0;
    while (!model_same_task(&exercise->bounds[first], bound))
        first++;
    return first;
}

static bool choose_case(struct look *look, struct error *err)
{
    const struct look_request *request = look->request;
    const struct exercise *exercise = look->exercise;
    const struct case_table *table = exercise_cases(exercise, request->build, err);
    if (!table)
        return false;
    const struct bound_spec *bound = choose_bound(look);
    const char *name = request->case_name ? request->case_name
                       : bound            ? bound->case_name
                                          : exercise->cases[0];
    look->def = case_named(table, name, exercise->id, err);
    if (!look->def)
        return false;
    look->size = bound ? bound->model
                       : (struct bound_model){.elements = exercise->largest, .calls = 1, .warm_up = true};
    if (bound)
        look->first = first_measured_with(exercise, bound);
    return true;
}

/* ---- building ---- */

static int build(struct look *look, FILE *out, struct error *err)
{
    const struct look_request *request = look->request;
    const struct exercise *exercise = look->exercise;
    struct selection selection = {0};
    struct build_result built = {0};
    int status = LOOKED;

    if (request->variant == VARIANT_STUDENT)
        build_select(exercise, request->source, ISA_AARCH64, &selection);
    if (request->variant == VARIANT_STUDENT && selection.choice == CHOICE_MISSING) {
        error_set(err, "%s", selection.note);
        status = LOOK_USAGE;
    } else {
        build_variant(look->workdir, request->root, exercise, request->variant, &selection, ISA_AARCH64,
                      model_defines, &built);
        if (request->variant == VARIANT_STUDENT && selection.choice == CHOICE_UNTOUCHED)
            look->untouched = strdup(selection.note);
        if (built.outcome == BUILD_OK) {
            look->program = strdup(built.program);
        } else if (built.outcome == BUILD_FAILED || built.outcome == BUILD_REJECTED) {
            fprintf(out, "%s\n", built.diagnostics);
            status = LOOK_STUDENT;
        } else {
            error_set(err, "%s", built.diagnostics);
            status = LOOK_SUITE;
        }
    }
    build_result_free(&built);
    selection_free(&selection);
    return status;
}

/* ---- running ---- */

struct looking {
    const struct looker *looker;
    int status;
};

static void look_before(void *state, struct emulator *emulator)
{
    const struct looking *looking = state;
    if (looking->looker->before)
        looking->looker->before(looking->looker->state, emulator);
}

static void look_after(void *state, const struct model_task *task, struct emulator *emulator)
{
    struct looking *looking = state;
    if (looking->looker->after)
        looking->status = looking->looker->after(looking->looker->state, task, emulator);
}

int look_run(struct look *look, const struct looker *looker, FILE *out, struct error *err)
{
    struct looking looking = {.looker = looker, .status = LOOKED};
    struct model_measured measured;
    struct fault_text ignored = {0};
    uint64_t inputs;
    if (!inputs_seed(look->request->seed, look->program, &inputs, err))
        return LOOK_SUITE;
    struct model_task task = {.def = look->def,
                              .core = &look->core,
                              .size = look->size,
                              .seed = inputs_of_bounds(inputs, look->first),
                              .student = inputs_student(look->program),
                              .budget = BUDGET,
                              .unverified = look->wrong,
                              .prepare = look_before,
                              .inspect = look_after,
                              .state = &looking};
    struct fault_text *text = look->wrong ? &ignored : &look->text;
    progress("%s: running on %s", look->exercise->id, look->core.name);
    enum model_outcome outcome = model_measure(&task, look->program, look->arena, &measured, text);
    if (outcome == MODEL_WRONG) {
        look->wrong = task.unverified = true;
        text = &ignored;
        outcome = model_measure(&task, look->program, look->arena, &measured, text);
    }
    progress_end();
    if (outcome == MODEL_MEASURED)
        return looking.status;
    if (outcome == MODEL_ERROR) {
        error_set(err, "%s", text->message);
        return LOOK_SUITE;
    }
    fprintf(out, "%s\n", text->message);
    if (text->next[0])
        fprintf(out, "%s\n", text->next);
    return LOOK_STUDENT;
}

const char *look_variant(const struct look *look)
{
    static const char *const names[] = {"the baseline", "your code", "the reference"};
    return names[look->request->variant];
}

struct profile look_profile(const struct look *look, struct emulator *emulator, struct model *model)
{
    struct profile run = {.program = look->program,
                          .core = &look->core,
                          /* Where calls report a value, elements are nothing to the student. */
                          .elements =
                              look->def->value ? 0 : (uint64_t)look->size.elements * look->size.calls};
    run.ops = emulator_code(emulator, &run.count);
    run.sites = model_sites(model);
    return run;
}

/* ---- coming and going ---- */

int look_open(struct look *look, const struct look_request *request, const struct exercise *exercise,
              FILE *out, struct error *err)
{
    const char *core = request->core ? request->core : exercise->core;
    *look = (struct look){.request = request, .exercise = exercise};
    if (!core_read(request->root, core, &look->core, err) || !choose_case(look, err))
        return LOOK_USAGE;
    look->workdir = workdir_create(err);
    look->arena = request->arena ? request->arena : look->workdir ? arena_create(err) : NULL;
    if (!look->workdir || !look->arena)
        return LOOK_SUITE;
    progress("%s: building", exercise->id);
    int status = build(look, out, err);
    progress_end();
    return status;
}

void look_close(struct look *look)
{
    if (look->arena && look->arena != look->request->arena)
        arena_destroy(look->arena);
    free(look->untouched);
    free(look->program);
    workdir_destroy(look->workdir);
    *look = (struct look){0};
}
