/* The model bench of a check: the AArch64 build in the emulated machine, timed by the model of a core. All of
 * it is exact, so there are no rounds and no doubt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/check_internal.h"
#include "grader/core_file.h"
#include "grader/explain.h"
#include "grader/model_bench.h"
#include "grader/model_cache.h"
#include "harness/progress.h"
#include "harness/seed.h"

/* Instructions of one variant in a check. */
enum { MODEL_BUDGET = 20 * 1000 * 1000 };

static enum isa isa_of_model(void)
{
    return ISA_AARCH64;
}

/* User code may use the PMU here, which Linux does not allow (exercise 1). */
static const char *const defines[] = {"-DCYCLELAB_PMU=1", NULL};

static bool open_model(struct checking *checking, struct error *err)
{
    const char *name = checking->context->core ? checking->context->core : checking->exercise->core;
    if (!core_read(checking->context->root, name, &checking->core, err))
        return false;
    checking->cache_bytes = model_cache_bytes(&checking->core);
    return true;
}

static const char *target(const struct checking *checking)
{
    return checking->core.name;
}

static bool asks(const struct checking *checking, const struct bound_spec *bound)
{
    static const char *const kinds[] = {[CORE_IN_ORDER] = "in-order", [CORE_OUT_OF_ORDER] = "out-of-order"};
    return bound->on != BENCH_NATIVE &&
           (!*bound->cores || strcmp(bound->cores, kinds[checking->core.kind]) == 0);
}

/* ---- correctness: in the emulated machine, where every rule is watched, and under Linux in qemu ---- */

static bool run_cases(struct checking *checking, struct trials *trials, const struct check_way *way)
{
    bool right = check_correctness(checking, trials, way);
    if (trials)
        trials->close(trials);
    return right;
}

static bool correctness(struct checking *checking)
{
    const struct check_way here = {.suffix = "",
                                   .where = "",
                                   .isa = ISA_AARCH64,
                                   .decides = true,
                                   .modelled = true},
                           linux_user = {.suffix = "-qemu-user",
                                         .where = "under Linux, by qemu-aarch64: ",
                                         .isa = ISA_AARCH64,
                                         .emulator = isa_native() == ISA_AARCH64 ? NULL : "qemu-aarch64",
                                         .allows_more = true, /* the PMU's registers */
                                         .no_clock = true};
    const char *program = checking->program[VARIANT_STUDENT];
    struct arena *arena = checking->context->arena;
    return run_cases(checking, trials_emulated(program, checking->core.features, arena), &here) &&
           run_cases(checking, trials_runner(program, linux_user.emulator, linux_user.isa, arena),
                     &linux_user);
}

/* ---- bounds ---- */

/* What the groups of a check share. */
struct timing {
    uint64_t left; /* instructions that the student's code may still execute */
};

/* One group: what the variants took, and what the student's loop waits for. */
struct group {
    const struct bound_spec *const *bounds;
    size_t count;
    struct model_task task;
    struct model_measured measured[VARIANT_COUNT];
    char waits_for[512];
};

static bool same_task(const struct bound_spec *a, const struct bound_spec *b)
{
    return strcmp(a->case_name, b->case_name) == 0 && a->model.elements == b->model.elements &&
           a->model.calls == b->model.calls && a->model.warm_up == b->model.warm_up;
}

/* Baseline and reference, which are kept from earlier checks. */
static bool measure_trusted(struct checking *checking, struct group *group)
{
    for (enum variant variant = VARIANT_BASELINE; variant <= VARIANT_REFERENCE; variant++) {
        struct fault_text text;
        if (variant == VARIANT_STUDENT || !checking->program[variant])
            continue;
        if (model_cache_measure(checking, &group->task, variant, &group->measured[variant], &text) ==
            MODEL_MEASURED)
            continue;
        result_add_check(checking->result, CHECK_BOUND, group->bounds[0]->name, group->task.def->name,
                         VERDICT_ERROR, group->bounds[0]->points, "the suite's own %s failed: %s",
                         variant_name(variant), text.message);
        return false;
    }
    return true;
}

/* Not at its end when the instructions were: so far from the bounds that no more has to be known. */
static void add_too_long(struct checking *checking, const struct group *group, const struct fault_text *text)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct bound_spec *bound = group->bounds[i];
        struct check *check =
            result_add_check(checking->result, CHECK_BOUND, bound->name, bound->case_name, VERDICT_FAIL,
                             bound->points, "not measured further: %s", text->message);
        check_set_look(check, bound->missed);
    }
}

static double counted(const struct model_measured *measured, const char *counter)
{
    for (enum model_event event = 0; event < MODEL_EVENT_COUNT; event++)
        if (strcmp(model_event_name(event), counter) == 0)
            return (double)measured->counts.value[event] / (double)measured->elements;
    return 0; /* exercise.yml has been asked for its names */
}

static enum verdict decide(const struct checking *checking, const struct group *group,
                           const struct bound_spec *bound, struct bound_outcome *outcome)
{
    struct exact exact = {.core = checking->core.name};
    for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
        exact.cycles[variant] = (double)group->measured[variant].counts.value[MODEL_CYCLES];
        exact.value[variant] = group->measured[variant].value;
    }
    exact.counter = counted(&group->measured[VARIANT_STUDENT], bound->counter);
    bounds_decide_exactly(bound, &exact, outcome);
    return outcome->skip ? VERDICT_SKIP : outcome->decision == DECIDE_PASS ? VERDICT_PASS : VERDICT_FAIL;
}

/* Where a bound is missed, what the student's loop waits for is asked while the machine is still there. */
struct question {
    const struct checking *checking;
    struct group *group;
};

static void explain(void *state, const struct model_task *task, struct emulator *emulator)
{
    const struct question *question = state;
    struct group *group = question->group;
    struct explain_run run = {.program = question->checking->program[VARIANT_STUDENT],
                              .core = task->core,
                              .sites = model_sites(emulator_model(emulator)),
                              .elements = group->measured[VARIANT_STUDENT].elements};
    struct bound_outcome outcome;
    bool missed = false;
    run.ops = emulator_code(emulator, &run.count);
    for (size_t i = 0; i < group->count; i++)
        missed = missed || (group->bounds[i]->kind != BOUND_AGREE &&
                            decide(question->checking, group, group->bounds[i], &outcome) == VERDICT_FAIL);
    if (!missed || !explain_sentence(&run, group->waits_for, sizeof group->waits_for))
        group->waits_for[0] = '\0';
}

static bool measure_student(struct checking *checking, struct group *group, struct timing *timing)
{
    const char *program = checking->program[VARIANT_STUDENT];
    struct question question = {checking, group};
    struct model_task task = group->task;
    struct fault_text text;
    struct check *check;

    task.budget = timing->left;
    task.look = explain;
    task.state = &question;
    enum model_outcome outcome =
        model_measure(&task, program, checking->context->arena, &group->measured[VARIANT_STUDENT], &text);
    switch (outcome) {
    case MODEL_MEASURED:
        timing->left -= group->measured[VARIANT_STUDENT].instructions;
        return true;
    case MODEL_LONG:
        add_too_long(checking, group, &text);
        return false;
    case MODEL_ERROR:
        result_add_check(checking->result, CHECK_BOUND, group->bounds[0]->name, task.def->name, VERDICT_ERROR,
                         group->bounds[0]->points, "%s", text.message);
        return false;
    case MODEL_WRONG:
    case MODEL_BROKE:
    case MODEL_RULE:
        break;
    }
    check = result_add_check(checking->result, CHECK_CORRECTNESS, "right-when-timed", task.def->name,
                             outcome == MODEL_RULE ? VERDICT_REJECTED : VERDICT_FAIL, 0, "%s", text.message);
    check_set_look(check, text.look);
    return false;
}

/* The first bound that is missed says what the loop waits for. */
static void add_bounds(struct checking *checking, const struct group *group)
{
    const char *waits_for = group->waits_for;
    for (size_t i = 0; i < group->count; i++) {
        const struct bound_spec *bound = group->bounds[i];
        struct bound_outcome outcome;
        enum verdict verdict = decide(checking, group, bound, &outcome);
        struct check *check = check_add_bound(checking, bound, verdict, &outcome);
        if (verdict == VERDICT_FAIL && bound->kind != BOUND_AGREE && *waits_for) {
            result_set(&check->message, "%s\n%s", check->message, waits_for);
            waits_for = "";
        }
    }
}

static void report_measurements(struct checking *checking, const struct group *group)
{
    for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
        const struct model_measured *from = &group->measured[variant];
        if (!checking->program[variant])
            continue;
        struct measurement *to =
            result_add_measurement(checking->result, group->task.def->name, variant_name(variant));
        to->elements = from->elements;
        to->cycles = (double)from->counts.value[MODEL_CYCLES];
        to->slices = 1;
        to->modelled = true;
        to->model = from->counts;
    }
}

static bool check_group(struct checking *checking, const struct bound_spec *const *bounds, size_t count,
                        unsigned first, void *state)
{
    const struct case_def *def = check_case_of(checking, bounds[0]);
    if (!def)
        return false;
    struct group group = {.bounds = bounds,
                          .count = count,
                          .task = {.def = def,
                                   .core = &checking->core,
                                   .size = bounds[0]->model,
                                   .seed = seed_derive(checking->context->seed, 1000 + first),
                                   .budget = MODEL_BUDGET}};
    progress("%s: %s on %s", checking->exercise->id, def->name, checking->core.name);
    if (!measure_trusted(checking, &group) || !measure_student(checking, &group, state))
        return false;
    add_bounds(checking, &group);
    report_measurements(checking, &group);
    return true;
}

static void bounds(struct checking *checking)
{
    struct timing timing = {.left = MODEL_BUDGET};
    check_groups(checking, same_task, check_group, &timing);
}

const struct check_bench check_model = {
    .name = "qemu",
    .isa = isa_of_model,
    .defines = defines,
    .open = open_model,
    .target = target,
    .asks = asks,
    .build_trusted = model_cache_build,
    .correctness = correctness,
    .bounds = bounds,
};
