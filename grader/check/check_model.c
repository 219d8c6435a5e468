/* The model bench of a check: the AArch64 build in the emulated machine, timed by the model of a core. All of
 * it is exact, so there are no rounds and no doubt, and nothing is disturbed by what runs beside it: the
 * counting has a process of its own, beside the correctness cases, and counts only when they are right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/check/aside.h"
#include "grader/check/check_internal.h"
#include "grader/core/core_file.h"
#include "grader/loops/loop_view.h"
#include "grader/check/model_bench.h"
#include "grader/check/model_cache.h"
#include "grader/base/textfile.h"
#include "harness/base/progress.h"
#include "harness/base/seed.h"
#include "harness/sched/schedule.h"

/* Instructions of one variant in a check; slow ones count as several. */
enum { MODEL_BUDGET = 20 * 1000 * 1000 };

enum { SEED_OF_PAUSES = 3000 /* behind those of bounds */ };

static enum isa isa_of_model(void)
{
    return ISA_AARCH64;
}

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
    return bound_is_for(bound, &checking->core);
}

/* ---- bounds ---- */

/* What came of a group: as the process that measures hands it over. */
struct taken {
    enum variant variant;       /* the last one that was measured, */
    enum model_outcome outcome; /* what came of it, */
    struct fault_text text;     /* and why */
    struct model_measured measured[VARIANT_COUNT];
    char waits_for[512];       /* the student's loop, */
    struct loop_limits limits; /* and what bounds it */
};

/* The bounds that one task decides. */
struct group {
    const struct bound_spec *const *bounds;
    size_t count;
    struct model_task task;
    struct taken taken;
};

static void open_group(struct checking *checking, const struct bound_spec *const *bounds, size_t count,
                       unsigned first, struct group *group)
{
    const struct case_def *def = case_find(checking->cases, bounds[0]->case_name);
    *group = (struct group){.bounds = bounds,
                            .count = count,
                            .task = {.def = def,
                                     .core = &checking->core,
                                     .size = bounds[0]->model,
                                     .seed = inputs_of_bounds(checking->inputs, first),
                                     .student = checking->student,
                                     .budget = MODEL_BUDGET,
                                     .crowded = checking->context->crowded}};
}

static double counted(const struct model_measured *measured, const char *counter)
{
    const enum model_event event = model_event_find(counter);
    return event < MODEL_EVENT_COUNT
               ? (double)measured->counts.value[event] / (double)measured->elements
               : 0; /* another kind of bound: exercise.yml has been asked for its names */
}

static enum verdict decide(const struct checking *checking, const struct group *group,
                           const struct bound_spec *bound, struct bound_outcome *outcome)
{
    struct exact exact = {.core = checking->core.name};
    for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
        exact.cycles[variant] = (double)group->taken.measured[variant].counts.value[MODEL_CYCLES];
        exact.value[variant] = group->taken.measured[variant].value;
    }
    exact.counter = counted(&group->taken.measured[VARIANT_STUDENT], bound->counter);
    bounds_decide_exactly(bound, &exact, outcome);
    return outcome->skip ? VERDICT_SKIP : outcome->decision == DECIDE_PASS ? VERDICT_PASS : VERDICT_FAIL;
}

/* What the student's loop waits for is asked while the machine is still there. */
struct question {
    const struct checking *checking;
    struct group *group;
};

static void explain(void *state, const struct model_task *task, struct emulator *emulator)
{
    const struct question *question = state;
    struct group *group = question->group;
    struct profile run = {.program = question->checking->program[VARIANT_STUDENT],
                          .core = task->core,
                          .sites = model_sites(emulator_later(emulator)),
                          .elements = group->taken.measured[VARIANT_STUDENT].elements};
    run.ops = emulator_code(emulator, &run.count);
    profile_look(&run, group->taken.waits_for, sizeof group->taken.waits_for, &group->taken.limits);
}

/* ---- measuring, in a process of its own ---- */

/* What the groups of a check share. */
struct measuring {
    struct checking *checking;
    int output;
    uint64_t left; /* instructions that the student's code may still execute, */
    uint64_t used; /* and ns of CPU time that it has had */
};

/* Of all groups together: a check ends, however many bounds there are. */
static unsigned seconds_left(uint64_t used)
{
    const uint64_t seconds = used / UINT64_C(1000000000);
    return seconds < EMULATED_SECONDS ? EMULATED_SECONDS - (unsigned)seconds : 1;
}

static void measure_student(struct checking *checking, struct group *group, struct measuring *measuring)
{
    struct question question = {checking, group};
    struct model_task task = group->task;
    struct taken *taken = &group->taken;

    task.budget = measuring->left;
    task.seconds = seconds_left(measuring->used);
    task.stands_still = true;
    task.inspect = explain;
    task.state = &question;
    const uint64_t begin = schedule_own_ns();
    taken->outcome = model_measure(&task, checking->program[VARIANT_STUDENT], checking->context->arena,
                                   &taken->measured[VARIANT_STUDENT], &taken->text);
    measuring->used += schedule_own_ns() - begin;
    measuring->left = model_left(measuring->left, &taken->measured[VARIANT_STUDENT]);
}

/* Baseline and reference, which are kept from earlier checks, and the student's. */
static bool measure_group(struct checking *checking, const struct bound_spec *const *bounds, size_t count,
                          unsigned first, void *state)
{
    static const enum variant order[] = {VARIANT_BASELINE, VARIANT_REFERENCE, VARIANT_STUDENT};
    struct measuring *measuring = state;
    struct group group;
    struct taken *taken = &group.taken;

    open_group(checking, bounds, count, first, &group);
    for (size_t i = 0; i < VARIANT_COUNT && taken->outcome == MODEL_MEASURED; i++) {
        taken->variant = order[i];
        if (taken->variant == VARIANT_STUDENT)
            measure_student(checking, &group, measuring);
        else if (checking->program[taken->variant])
            taken->outcome = model_cache_measure(checking, &group.task, taken->variant,
                                                 &taken->measured[taken->variant], &taken->text);
    }
    return textfile_write(measuring->output, taken, sizeof *taken) && taken->outcome == MODEL_MEASURED;
}

/* In memory of its own: the other process's arena is full of correctness cases. */
static void measure_all(void *state, int output)
{
    struct checking *checking = state;
    struct measuring measuring = {.checking = checking, .output = output, .left = MODEL_BUDGET};
    struct taken none = {.variant = VARIANT_STUDENT, .outcome = MODEL_ERROR};
    struct error err;

    if (arena_renew(checking->context->arena, &err)) {
        check_groups(checking, model_same_task, measure_group, &measuring);
        return;
    }
    snprintf(none.text.message, sizeof none.text.message, "%s", err.text);
    textfile_write(output, &none, sizeof none);
}

/* ---- what is said of it ---- */

/* Not at its end when the instructions were: so far from the bounds that no more has to be known. */
static void add_too_long(struct checking *checking, const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct bound_spec *bound = group->bounds[i];
        struct check *check =
            result_add_check(checking->result, CHECK_BOUND, bound->name, bound->case_name, VERDICT_FAIL,
                             bound->points, "not measured further: %s", group->taken.text.message);
        check_set_next(check, bound->advice);
    }
}

static void add_error(struct checking *checking, const struct group *group, const char *what, const char *why)
{
    result_add_check(checking->result, CHECK_BOUND, group->bounds[0]->name, group->task.def->name,
                     VERDICT_ERROR, group->bounds[0]->points, "%s%s", what, why);
}

static void add_not_measured(struct checking *checking, const struct group *group)
{
    const struct taken *taken = &group->taken;
    struct check *check;
    char what[64] = "";

    if (taken->variant != VARIANT_STUDENT)
        snprintf(what, sizeof what, "the suite's own %s failed: ", variant_name(taken->variant));
    if (*what || taken->outcome == MODEL_ERROR) {
        add_error(checking, group, what, taken->text.message);
    } else if (taken->outcome == MODEL_LONG) {
        add_too_long(checking, group);
    } else {
        check = result_add_check(
            checking->result, CHECK_CORRECTNESS, "right-when-timed", group->task.def->name,
            taken->outcome == MODEL_RULE ? VERDICT_REJECTED : VERDICT_FAIL, 0, "%s", taken->text.message);
        check_set_next(check, taken->text.next);
    }
}

/* The first bound that is missed says what the loop waits for. */
static void add_bounds(struct checking *checking, const struct group *group)
{
    const char *waits_for = group->taken.waits_for;
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
        const struct model_measured *from = &group->taken.measured[variant];
        if (!checking->program[variant])
            continue;
        struct measurement *to =
            result_add_measurement(checking->result, group->task.def->name, variant_name(variant));
        to->elements = from->elements;
        to->cycles = (double)from->counts.value[MODEL_CYCLES];
        to->slices = 1;
        to->modelled = true;
        to->model = from->counts;
        if (variant == VARIANT_STUDENT && *group->taken.waits_for) {
            result_set(&to->waits_for, "%s", group->taken.waits_for);
            to->limits = group->taken.limits;
        }
    }
}

static bool check_group(struct checking *checking, const struct bound_spec *const *bounds, size_t count,
                        unsigned first, void *state)
{
    struct group group;
    open_group(checking, bounds, count, first, &group);
    progress("%s: %s on %s", checking->exercise->id, group.task.def->name, checking->core.name);
    if (!helper_process_read(state, &group.taken, sizeof group.taken)) {
        add_error(checking, &group, "the measuring process ended early",
                  ": it was killed, or memory ran out. Run the check again");
        return false;
    }
    if (group.taken.outcome != MODEL_MEASURED) {
        add_not_measured(checking, &group);
        return false;
    }
    add_bounds(checking, &group);
    report_measurements(checking, &group);
    return true;
}

static void bounds(struct checking *checking)
{
    check_groups(checking, model_same_task, check_group, checking->measuring);
    helper_process_end(checking->measuring);
}

/* ---- correctness: in the emulated machine, where every rule is watched, and under Linux in qemu ---- */

static bool under_linux(struct checking *checking)
{
    const struct check_way way = {.suffix = "-qemu-user",
                                  .where = "under Linux, by qemu-aarch64: ",
                                  .isa = ISA_AARCH64,
                                  .emulator = isa_native() == ISA_AARCH64 ? NULL : "qemu-aarch64",
                                  .no_counters = true};
    const struct runner_program runner = check_runner(checking, &way, checking->program[VARIANT_STUDENT], 1);
    return check_correctness(checking, trials_runner(&runner, 0, checking->context->arena), &way);
}

static bool in_the_machine(struct checking *checking)
{
    const struct check_way way = {
        .suffix = "", .where = "", .isa = ISA_AARCH64, .decides = true, .modelled = true};
    return check_correctness(checking,
                             trials_emulated(checking->program[VARIANT_STUDENT], checking->core.features,
                                             seed_derive(checking->inputs, SEED_OF_PAUSES),
                                             checking->context->arena),
                             &way);
}

static bool correctness(struct checking *checking)
{
    struct aside aside = {.checking = checking, .work = under_linux};
    struct error err;
    checking->measuring = helper_process_start(measure_all, checking, &err);
    if (!checking->measuring) {
        result_add_check(checking->result, CHECK_CORRECTNESS, "measuring", NULL, VERDICT_ERROR, 0, "%s",
                         err.text);
        return false;
    }
    if (!checking->context->crowded) /* else each CPU has a check of its own */
        aside_start(&aside);
    const bool right = aside_end(&aside, in_the_machine(checking));
    if (!right)
        helper_process_end(checking->measuring);
    return right;
}

const struct check_bench check_model = {
    .name = "qemu",
    .places = 1,
    .isa = isa_of_model,
    .defines = model_defines,
    .open = open_model,
    .target = target,
    .asks = asks,
    .correctness = correctness,
    .bounds = bounds,
};
