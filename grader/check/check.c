/* What every check does, whatever the bench: selection, building, conclusion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/check/check_internal.h"
#include "grader/check/mistakes.h"
#include "grader/exercise/course.h"
#include "grader/base/textfile.h"
#include "harness/base/progress.h"

double check_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void check_set_next(struct check *check, const char *text)
{
    free(check->next);
    check->next = text && *text ? strdup(text) : NULL;
}

/* ---- bounds ---- */

/* What another bench or another kind of core is asked is not missing here. */
static void forget_what_others_ask(struct checking *checking)
{
    const struct exercise *exercise = checking->exercise;
    checking->result->max_score -=
        exercise->correctness_points - exercise_correctness_points(exercise, checking->bench->native);
    for (unsigned i = 0; i < checking->exercise->bounds_count; i++)
        if (!checking->bench->asks(checking, &checking->exercise->bounds[i]))
            checking->result->max_score -= checking->exercise->bounds[i].points;
}

void check_groups(struct checking *checking, check_same_fn *same, check_group_fn *run, void *state)
{
    const struct exercise *exercise = checking->exercise;
    bool *taken = calloc(exercise->bounds_count + 1U, sizeof *taken);
    for (unsigned i = 0; taken && i < exercise->bounds_count; i++) {
        const struct bound_spec *first = &exercise->bounds[i], *group[CHECK_GROUP_MAX] = {first};
        size_t count = 1;
        if (taken[i] || !checking->bench->asks(checking, first))
            continue;
        for (unsigned j = i + 1; j < exercise->bounds_count && count < CHECK_GROUP_MAX; j++) {
            const struct bound_spec *other = &exercise->bounds[j];
            if (taken[j] || !checking->bench->asks(checking, other) || !same(first, other))
                continue;
            taken[j] = true;
            group[count++] = other;
        }
        if (!run(checking, group, count, i, state))
            break;
    }
    free(taken);
}

/* The same name, but one that outlives the exercise. */
static const char *counter_name(const char *name)
{
    const enum model_event modelled = model_event_find(name);
    if (modelled < MODEL_EVENT_COUNT)
        return model_event_name(modelled);
    for (enum pmu_event event = 0; event < PMU_EVENTS; event++)
        if (strcmp(pmu_event_name(event), name) == 0)
            return pmu_event_name(event);
    return "count";
}

/* About what another program has no part in; else NULL, for what the result says of all that is open. */
static const char *what_to_do(const char *reason)
{
    static const char *const words[][2] = {
        {"layout:",
         "It hangs on where your code lies in memory: align its loop (`.p2align 5` in front of it, in "
         "assembly), or check it on a model core, where it lies in one place (ON=qemu)."},
        {"aftermath:",
         "Your code leaves something behind that others feel: does it flush caches, or walk over "
         "more memory than it is given? If it does neither, run it again."},
        {"short:",
         "Your calls take no time that can be seen. Does each of them do all that is asked? A model "
         "core counts what they do (ON=qemu)."},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(reason, words[i][0], strlen(words[i][0])) == 0)
            return words[i][1];
    return NULL;
}

struct check *check_add_bound(struct checking *checking, const struct bound_spec *bound, enum verdict verdict,
                              const struct bound_outcome *outcome)
{
    enum check_kind kind =
        bound->kind == BOUND_AGREE || bound->kind == BOUND_COUNTER ? CHECK_MECHANISM : CHECK_BOUND;
    char goal[BOUND_GOAL];
    bound_goal(bound, goal);
    const char *asked = verdict == VERDICT_PASS || outcome->reason[0] ? "" : "asked for: ";
    struct check *check =
        result_add_check(checking->result, kind, bound->name, bound->case_name, verdict, bound->points,
                         "%s%s", asked, outcome->reason[0] ? outcome->reason : goal);
    check->share = outcome->score;
    if (verdict == VERDICT_FAIL) {
        check_set_next(check, bound->advice);
        check->score = bound->points * outcome->score;
    }
    if (verdict == VERDICT_UNSTABLE)
        check_set_next(check, what_to_do(outcome->reason));
    if (verdict == VERDICT_SKIP || isnan(outcome->measured))
        return check;
    check->has_measured = true;
    check->metric = bound->kind == BOUND_COUNTER ? counter_name(bound->counter) : outcome->metric;
    check->comparison = outcome->comparison;
    check->unit = outcome->unit;
    check->measured = outcome->measured;
    check->low = outcome->low;
    check->high = outcome->high;
    check->bound = outcome->bound;
    check->trusted = outcome->trusted;
    return check;
}

/* Is the exercise for another bench? */
static bool is_elsewhere(const struct checking *checking)
{
    return checking->exercise->on == BENCH_QEMU && checking->bench != &check_model;
}

static void say_elsewhere(struct checking *checking)
{
    char next[64];
    struct check *check =
        result_add_check(checking->result, CHECK_BUILD, "bench", NULL, VERDICT_UNSTABLE,
                         checking->result->max_score, "this exercise is checked on model cores alone");
    snprintf(next, sizeof next, "Run `make check EX=%u ON=qemu`.", checking->exercise->number);
    check_set_next(check, next);
}

/* ---- all of it ---- */

static bool build_trusted(struct checking *checking)
{
    for (enum variant variant = VARIANT_BASELINE; variant <= VARIANT_REFERENCE; variant++) {
        if (variant == VARIANT_STUDENT || (variant == VARIANT_BASELINE && !checking->exercise->baseline))
            continue;
        checking->program[variant] = check_build_trusted(checking, variant);
        if (!checking->program[variant])
            return false;
    }
    return true;
}

/* Is anything drawn by the student's number? */
static bool asks_by_student(const struct case_table *cases)
{
    bool asks = false;
    for (size_t i = 0; i < cases->count; i++)
        asks = asks || cases->defs[i].by_student;
    return asks;
}

static bool draw_inputs(struct checking *checking)
{
    struct error err;
    if (asks_by_student(checking->cases))
        checking->student = inputs_student(checking->program[VARIANT_STUDENT]);
    checking->result->student_number = checking->student;
    if (inputs_seed(checking->context->seed, checking->program[VARIANT_STUDENT], &checking->inputs, &err))
        return true;
    result_add_check(checking->result, CHECK_BUILD, "inputs", NULL, VERDICT_ERROR, 0, "%s", err.text);
    return false;
}

static void check_all(struct checking *checking)
{
    const struct check_bench *bench = checking->bench;

    forget_what_others_ask(checking);
    progress("%s: building", checking->exercise->id);
    checking->program[VARIANT_STUDENT] = check_build_student(checking, checking->isa);
    if (!checking->program[VARIANT_STUDENT] || !build_trusted(checking) || !draw_inputs(checking))
        check_skip_bounds(checking, "not measured: your code does not build");
    else if (!bench->correctness(checking))
        check_skip_bounds(checking, "not measured: the results must be correct first");
    else
        bench->bounds(checking);
}

static bool open_exercise(struct checking *checking, const char *id, struct error *err)
{
    const struct check_context *context = checking->context;
    struct stat folder;

    if (stat(context->source, &folder) != 0 || !S_ISDIR(folder.st_mode)) {
        error_set(err, "SRC=%s is not a folder", context->source);
        return false;
    }
    checking->exercise = exercise_read(context->root, id, err);
    checking->cases = checking->exercise ? exercise_cases(checking->exercise, context->build, err) : NULL;
    if (!checking->cases)
        return false;
    if (context->settings && !course_change(context->settings, checking->exercise))
        return error_set(err, "out of memory");
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        build_select(checking->exercise, context->source, isa, &checking->selection[isa]);
    struct selection *selection = &checking->selection[checking->isa];
    if (selection->choice == CHOICE_MISSING && !is_elsewhere(checking)) {
        error_set(err, "%s", selection->note);
        return false;
    }
    return checking->bench->open(checking, err);
}

/* Debug information knows a file's name alone: "clamp.c:7" becomes "work/03-branch-elimination/clamp.c:7". */
static void name_files(struct checking *checking)
{
    char suffix[16], name[300];
    for (size_t i = 0; i < checking->result->checks_count; i++) {
        struct check *check = &checking->result->checks[i];
        enum isa of = checking->isa;
        for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
            snprintf(suffix, sizeof suffix, "-%s", isa_name(isa));
            const char *end = strstr(check->name, suffix);
            of = end && strcmp(end, suffix) == 0 ? isa : of;
        }
        const struct selection *selection = &checking->selection[of];
        for (unsigned k = 0; k < selection->count; k++) {
            char *path = NULL;
            snprintf(name, sizeof name, "%s:", textfile_base_name(selection->paths[k]));
            if (asprintf(&path, "%s:", selection->paths[k]) >= 0)
                check_rename(check, name, path);
            free(path);
        }
    }
}

/* Below the folder that is graded. */
static void list_files(struct checking *checking)
{
    const struct selection *selection = &checking->selection[checking->isa];
    size_t skip = strlen(checking->context->source) + 1;
    for (unsigned i = 0; i < selection->count; i++)
        result_set(&checking->result->files, "%s%s%s", i > 0 ? checking->result->files : "",
                   i > 0 ? ", " : "", selection->paths[i] + skip);
}

enum { BENCHES = 2 };
static const struct check_bench *const benches[BENCHES] = {&check_native, &check_model};

static const struct check_bench *find_bench(const char *name)
{
    for (size_t i = 0; i < BENCHES; i++)
        if (strcmp(benches[i]->name, name) == 0)
            return benches[i];
    return NULL;
}

bool check_has_bench(const char *name)
{
    return find_bench(name) != NULL;
}

struct result *check_exercise(const struct check_context *context, const char *id, struct error *err)
{
    const char *on = context->on ? context->on : "native";
    struct checking checking = {.context = context, .bench = find_bench(on), .start = check_now()};

    if (!checking.bench) {
        error_set(err, "expected the bench native or qemu, found `%s`", on);
        return NULL;
    }
    checking.isa = checking.bench->isa();
    if (open_exercise(&checking, id, err)) {
        struct result *result = result_new(checking.exercise);
        struct error failure;
        checking.result = result;
        result->on = strdup(checking.bench->name);
        result->isa = strdup(isa_name(checking.isa));
        result->cpu = strdup(checking.bench->target(&checking));
        result->tier = context->tier;
        result->seed = strdup(context->seed);
        result->source = strdup(context->source);
        checking.workdir = workdir_create(&failure);
        if (is_elsewhere(&checking))
            say_elsewhere(&checking);
        else if (checking.workdir && arena_renew(context->arena, &failure))
            check_all(&checking);
        else
            result_add_check(result, CHECK_BUILD, "build", NULL, VERDICT_ERROR, 0, "%s", failure.text);
        workdir_destroy(checking.workdir);
        result->seconds = check_now() - checking.start;
        list_files(&checking);
        name_files(&checking);
        if (checking.selection[checking.isa].choice != CHOICE_UNTOUCHED)
            mistakes_recognise(checking.exercise, result);
        result_conclude(result);
        if (result->verdict == VERDICT_FAIL || result->verdict == VERDICT_UNSTABLE)
            check_where_to_begin(&checking);
    }
    progress_end();
    for (enum variant variant = 0; variant < VARIANT_COUNT; variant++)
        free(checking.program[variant]);
    for (enum isa isa = 0; isa < ISA_COUNT && checking.exercise; isa++)
        selection_free(&checking.selection[isa]);
    exercise_free(checking.exercise);
    return checking.result;
}
