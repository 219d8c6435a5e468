/* Correctness: which cases a build is tried in, how long their calls are, and what the report says of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/spawn.h"
#include "grader/check/check_internal.h"
#include "grader/exercise/course.h"
#include "harness/base/progress.h"
#include "harness/base/seed.h"

/* Elements of a case's only call where every instruction is looked at. With more it is timed, and verified
 * then as well. */
enum { MOST_MODELLED = 65536 };

struct size {
    uint32_t elements, calls;
};

static struct size size_of(const struct bound_spec *bound, bool modelled)
{
    return modelled ? (struct size){bound->model.elements, bound->model.calls}
                    : (struct size){bound->elements, bound->calls};
}

/* Does this bound time what the case calls? */
static bool times_entry(const struct checking *checking, const struct bound_spec *bound,
                        const struct case_def *def)
{
    const struct case_def *timed = case_find(checking->cases, bound->case_name);
    return timed && timed->entry == def->entry;
}

static uint32_t elements_of_case(const struct checking *checking, const struct case_def *def, bool modelled)
{
    const struct exercise *exercise = checking->exercise;
    uint32_t elements = exercise->largest;
    for (unsigned i = exercise->bounds_count; i-- > 0;) {
        const struct bound_spec *bound = &exercise->bounds[i];
        if (def->once ? strcmp(bound->case_name, def->name) == 0 : times_entry(checking, bound, def))
            elements = size_of(bound, modelled).elements;
    }
    return modelled && elements > MOST_MODELLED ? MOST_MODELLED : elements;
}

/* The course's own cases stand behind those that all students see. */
static bool is_hidden(const struct checking *checking, unsigned i)
{
    const struct course_exercise *settings = checking->context->settings;
    return settings && i >= checking->exercise->cases_count - settings->cases_count;
}

static void keep_failing(struct checking *checking, const struct correctness *what,
                         const struct check_way *way, const struct failed_call *failed)
{
    struct failing *failing = &checking->result->failing;
    if (failing->case_name[0]) /* the first one is what the report is about */
        return;
    *failing = (struct failing){.aarch64 = way->isa == ISA_AARCH64,
                                .modelled = what->modelled,
                                .seed = what->seed,
                                .largest = what->largest,
                                .once = what->once,
                                .cache_bytes = what->cache_bytes,
                                .elements = what->elements,
                                .calls = what->calls,
                                .student = what->student,
                                .call = failed->call,
                                .filling = failed->filling};
    snprintf(failing->case_name, sizeof failing->case_name, "%s", what->def->name);
}

/* Does a bound time the case itself, in such calls? */
static bool times_case(const struct exercise *exercise, const struct case_def *def, struct size size,
                       bool modelled)
{
    for (unsigned i = 0; i < exercise->bounds_count; i++)
        if (strcmp(exercise->bounds[i].case_name, def->name) == 0 &&
            size_of(&exercise->bounds[i], modelled).elements == size.elements)
            return true;
    return false;
}

/* Is the case made in plans like those of this bound? What is timed has contents of some kind, and these are
 * others at the same length and in the same places. What is timed itself is verified when it is; only of
 * calls with parts not all, since no part stands still there. */
static bool is_rehearsed(const struct checking *checking, const struct bound_spec *bound,
                         const struct case_def *def, bool modelled)
{
    return !def->once && times_entry(checking, bound, def) &&
           (def->parts > 0 || !times_case(checking->exercise, def, size_of(bound, modelled), modelled));
}

struct bench_other *check_others(const struct checking *checking, const struct bound_spec *bound,
                                 size_t *count)
{
    const struct exercise *exercise = checking->exercise;
    struct bench_other *others = calloc(exercise->cases_count + 1, sizeof *others);
    *count = 0;
    for (unsigned i = 0; others && i < exercise->cases_count; i++) {
        const struct case_def *def = case_find(checking->cases, exercise->cases[i]);
        if (def && exercise_asks_case(exercise, exercise->cases[i], true) &&
            is_rehearsed(checking, bound, def, false) && strcmp(def->name, bound->case_name) != 0)
            others[(*count)++] = (struct bench_other){def, is_hidden(checking, i)};
    }
    return others;
}

/* The case once more, in plans like those of each bound that times what it calls. */
static enum correctness_outcome rehearse(struct checking *checking, struct correctness *what,
                                         struct trials *trials, size_t *calls, struct failed_call *failed,
                                         struct fault_text *text)
{
    const struct exercise *exercise = checking->exercise;
    enum correctness_outcome outcome = CORRECT;
    struct size before = {0, 0};
    for (unsigned i = 0; i < exercise->bounds_count && outcome == CORRECT; i++) {
        const struct bound_spec *bound = &exercise->bounds[i];
        const struct size size = size_of(bound, what->modelled);
        if (!is_rehearsed(checking, bound, what->def, what->modelled) ||
            (size.elements == before.elements && size.calls == before.calls))
            continue;
        size_t more = 0;
        before = size;
        what->elements = size.elements;
        what->calls = size.calls;
        outcome = correctness_run(what, checking->context->arena, trials, &more, failed, text);
        *calls = outcome == CORRECT ? *calls + more : more;
    }
    return outcome;
}

static enum correctness_outcome run_case(struct checking *checking, unsigned i, struct trials *trials,
                                         const struct check_way *way, struct fault_text *text)
{
    const struct exercise *exercise = checking->exercise;
    const struct case_def *def = case_find(checking->cases, exercise->cases[i]);
    size_t calls = 0;
    struct failed_call failed;

    if (!def || !trials) {
        snprintf(text->message, sizeof text->message,
                 trials ? "cases.c does not have the case `%s`, which exercise.yml or the course names"
                        : "out of memory",
                 exercise->cases[i]);
        return CORRECTNESS_ERROR;
    }
    struct correctness what = {.def = def,
                               .largest = exercise->largest,
                               .once = elements_of_case(checking, def, way->modelled),
                               .modelled = way->modelled,
                               .fma = way->fma,
                               .hidden = is_hidden(checking, i),
                               .seed = seed_derive(checking->inputs, i),
                               .student = checking->student,
                               .cache_bytes = checking->cache_bytes};
    progress("%s: %s%s", exercise->id, def->name, way->suffix);
    enum correctness_outcome outcome =
        correctness_run(&what, checking->context->arena, trials, &calls, &failed, text);
    if (outcome == CORRECT && (way->decides || way->processor)) /* lesser processors execute it, too */
        outcome = rehearse(checking, &what, trials, &calls, &failed, text);
    if (outcome == CORRECT)
        snprintf(text->message, sizeof text->message, "%zu calls", calls);
    if (outcome == INCORRECT && !what.hidden && failed.call < calls)
        keep_failing(checking, &what, way, &failed);
    return outcome;
}

struct runner_program check_runner(struct checking *checking, const struct check_way *way, const char *path,
                                   unsigned places)
{
    return (struct runner_program){.path = path,
                                   .places = places,
                                   .emulator = way->emulator,
                                   .processor = way->processor,
                                   .isa = way->isa,
                                   .lent = checking->exercise->lent,
                                   .spent_ms = &checking->spent_ms};
}

static bool reference_starts(struct checking *checking, const struct check_way *way)
{
    struct build_result built;
    if (way->emulator && !spawn_finds(way->emulator))
        return false;
    build_variant(checking->workdir, checking->context->root, checking->exercise, VARIANT_REFERENCE, NULL,
                  way->isa, checking->bench->defines, &built);
    const struct runner_program runner = check_runner(checking, way, built.program, 1);
    const bool does = built.outcome == BUILD_OK && trials_runner_starts(&runner, checking->context->arena);
    build_result_free(&built);
    return does;
}

/* The program did not start. If that is its own fault, the reference does, and it does not even once more. */
static enum correctness_outcome start_again(struct checking *checking, unsigned i, struct trials *trials,
                                            const struct check_way *way, struct fault_text *text)
{
    struct fault_text first = *text;
    if (!reference_starts(checking, way))
        return CORRECTNESS_ERROR;
    enum correctness_outcome outcome = run_case(checking, i, trials, way, text);
    if (outcome != CORRECTNESS_NO_START)
        return outcome;
    snprintf(text->message, sizeof text->message,
             "your program links but does not start (the reference does): %.600s", first.message);
    snprintf(text->next, sizeof text->next, "Remove notes and sections that a compiler would not write.");
    return INCORRECT;
}

/* The emulator does not know an instruction. Has the processor none, or does the emulator lack it? */
static bool reference_is_defined(struct checking *checking, unsigned i, const struct check_way *way)
{
    const struct failing own = checking->result->failing; /* the student's, not what is tried here */
    struct build_result built;
    struct fault_text text;
    bool is = true;
    build_variant(checking->workdir, checking->context->root, checking->exercise, VARIANT_REFERENCE, NULL,
                  way->isa, checking->bench->defines, &built);
    if (built.outcome == BUILD_OK) {
        const struct runner_program runner = check_runner(checking, way, built.program, 1);
        struct trials *trials = trials_runner(&runner, 0, checking->context->arena);
        is = run_case(checking, i, trials, way, &text) != CORRECTNESS_UNDEFINED;
        if (trials)
            trials->close(trials);
    }
    build_result_free(&built);
    checking->result->failing = own;
    return is;
}

static bool run_cases(struct checking *checking, struct trials *trials, const struct check_way *way)
{
    static const enum verdict verdicts[] = {[CORRECT] = VERDICT_PASS,
                                            [INCORRECT] = VERDICT_FAIL,
                                            [CORRECTNESS_RULE] = VERDICT_REJECTED,
                                            [CORRECTNESS_UNDEFINED] = VERDICT_FAIL,
                                            [CORRECTNESS_NO_START] = VERDICT_ERROR,
                                            [CORRECTNESS_ERROR] = VERDICT_ERROR};
    const struct exercise *exercise = checking->exercise;
    bool right = true;

    for (unsigned i = 0; i < exercise->cases_count; i++) {
        uint32_t points = way->decides ? exercise_case_points(exercise, i) : 0;
        char name[128];
        struct fault_text text = {0};
        const struct case_def *def = case_find(checking->cases, exercise->cases[i]);

        if ((way->no_counters && def && case_reads_counters(def)) ||
            (way->asks && !way->asks(exercise, exercise->cases[i])) ||
            !exercise_asks_case(exercise, exercise->cases[i], checking->bench->native))
            continue;
        snprintf(name, sizeof name, CHECK_RIGHT "%s%s", exercise->cases[i], way->suffix);
        enum correctness_outcome outcome = run_case(checking, i, trials, way, &text);
        if (outcome == CORRECTNESS_NO_START)
            outcome = start_again(checking, i, trials, way, &text);
        enum verdict verdict = verdicts[outcome];
        if (verdict == VERDICT_ERROR && !way->decides)
            verdict = VERDICT_SKIP;
        if (outcome == CORRECTNESS_UNDEFINED && way->unless && !reference_is_defined(checking, i, way)) {
            verdict = VERDICT_SKIP;
            snprintf(text.message, sizeof text.message, "%s", way->unless);
        }
        struct check *check =
            result_add_check(checking->result, CHECK_CORRECTNESS, name, exercise->cases[i], verdict, points,
                             "%s%s", verdict == VERDICT_FAIL ? way->where : "", text.message);
        check_set_next(check, verdict == VERDICT_SKIP                              ? NULL
                              : outcome == CORRECTNESS_UNDEFINED && way->undefined ? way->undefined
                                                                                   : text.next);
        right = right && (verdict == VERDICT_PASS || verdict == VERDICT_SKIP);
        /* all that is wrong is listed; but what does not come back will not in other cases either */
        if (verdict != VERDICT_PASS && (outcome != INCORRECT || verdict == VERDICT_SKIP || text.endless))
            break;
    }
    return right;
}

bool check_correctness(struct checking *checking, struct trials *trials, const struct check_way *way)
{
    bool right = run_cases(checking, trials, way);
    if (trials)
        trials->close(trials);
    return right;
}
