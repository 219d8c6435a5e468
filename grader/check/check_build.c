/* The building of a check: the student's files, baseline and reference. These two are the same in every check
 * of an exercise, so their programs are kept (grader/base/cache.h) by all that they follow from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "grader/base/cache.h"
#include "grader/build/build_cache.h"
#include "grader/check/check_internal.h"

static enum verdict verdict_of(enum build_outcome outcome)
{
    switch (outcome) {
    case BUILD_OK:
        return VERDICT_PASS;
    case BUILD_FAILED:
        return VERDICT_FAIL;
    case BUILD_REJECTED:
        return VERDICT_REJECTED;
    default:
        return VERDICT_ERROR;
    }
}

/* There are no files to build, or no telling which. True when a check says so. */
static bool nothing_to_build(struct checking *checking, const struct selection *selection, bool graded,
                             const char *name, enum isa isa)
{
    struct result *result = checking->result;
    if (!graded && selection->choice == CHOICE_MISSING) {
        result_add_check(result, CHECK_BUILD, name, NULL, VERDICT_SKIP, 0, "no files for %s: %s",
                         isa_name(isa), selection->note);
        return true;
    }
    if (selection->choice != CHOICE_MISSING)
        return false;
    struct check *check =
        result_add_check(result, CHECK_BUILD, name, NULL, VERDICT_FAIL, 0, "%s", selection->note);
    check_set_next(check, "Give the files the same names as in the stub.");
    return true;
}

/* CPU time of the processes that have ended. */
static int64_t children_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

char *check_build_student(struct checking *checking, enum isa isa)
{
    struct result *result = checking->result;
    struct selection *selection = &checking->selection[isa];
    bool graded = isa == checking->isa;
    char name[64];
    struct build_result built;

    snprintf(name, sizeof name, graded ? "build" : "build-%s", isa_name(isa));
    if (nothing_to_build(checking, selection, graded, name, isa))
        return NULL;
    const int64_t before = children_ms();
    build_in_places(checking->workdir, checking->context->root, checking->exercise, VARIANT_STUDENT,
                    selection, isa, checking->bench->defines, graded ? checking->bench->places : 1, &built);
    checking->spent_ms += children_ms() - before;
    enum verdict verdict = verdict_of(built.outcome);
    /* For the other ISA a missing compiler costs this check only; and C that builds here but not there may be
     * meant for here only. */
    if (!graded && (built.outcome == BUILD_NO_COMPILER || built.outcome == BUILD_FAILED))
        verdict = VERDICT_SKIP;
    char *program = built.program; /* NULL if not BUILD_OK */
    built.program = NULL;
    const char *warnings = graded && built.diagnostics ? built.diagnostics : "";
    if (built.outcome == BUILD_OK) {
        result_add_check(result, CHECK_BUILD, name, NULL, verdict, 0, "builds: %s%s%s", selection->note,
                         *warnings ? "\n" : "", warnings);
    } else {
        struct check *check = result_add_check(
            result, CHECK_BUILD, name, NULL, verdict, 0, "%s%s",
            verdict == VERDICT_SKIP && built.outcome == BUILD_FAILED ? "does not build for this ISA: " : "",
            built.diagnostics);
        if (built.outcome == BUILD_FAILED && built.diagnostics &&
            strstr(built.diagnostics, "attempt to use poisoned"))
            check_set_next(check,
                           "Take `optimize` out, as an attribute, a pragma or any other name: all code is "
                           "compiled with the flags of exercise.yml. Write what you want of the compiler "
                           "yourself.");
    }
    build_result_free(&built);
    return program;
}

/* ---- baseline and reference ---- */

static bool program_key(const struct checking *checking, enum variant variant, struct sha256 *key)
{
    const struct exercise *exercise = checking->exercise;
    const char *isa = isa_name(checking->isa);
    char path[4096];
    char *runner = runner_object(checking->isa, "runner.o");
    bool good = cache_key(key) && runner && sha256_file(key, runner);

    free(runner);
    sha256_words(key, "program");
    sha256_words(key, exercise->id);
    sha256_words(key, variant_name(variant));
    sha256_words(key, isa);
    for (const char *const *define = checking->bench->defines; define && *define; define++)
        sha256_words(key, *define);
    good = good && build_cache_add_compiler(key, checking->isa);
    /* more than is compiled: a little too new is no harm */
    const char *const folders[][2] = {
        {exercise->folder, ""},   {exercise->folder, isa},   {exercise->folder, "baseline"},
        {exercise->solution, ""}, {exercise->solution, isa}, {checking->context->root, "harness/runner"}};
    for (size_t i = 0; good && i < sizeof folders / sizeof *folders; i++) {
        bool baseline = strcmp(folders[i][1], "baseline") == 0;
        snprintf(path, sizeof path, "%s/%s%s%s", folders[i][0], folders[i][1], baseline ? "/" : "",
                 baseline ? isa : "");
        sha256_number(key, i);
        good = build_cache_add_folder(key, path);
    }
    return good;
}

/* The key of the program for one place. */
static struct sha256 place_key(const struct sha256 *key, unsigned place)
{
    struct sha256 with = *key;
    sha256_number(&with, place);
    return with;
}

static bool take_place(const char *folder, const struct sha256 *key, const char *program, unsigned place)
{
    const struct sha256 with = place_key(key, place);
    char *path = build_place(program, place);
    bool good = path && build_cache_take(folder, &with, path) && chmod(path, 0755) == 0;
    free(path);
    return good;
}

static void keep_place(const char *folder, const struct sha256 *key, const char *program, unsigned place)
{
    const struct sha256 with = place_key(key, place);
    char *path = build_place(program, place);
    if (path)
        build_cache_keep(folder, &with, path);
    free(path);
}

/* Into the work folder, as if it had been built there. NULL: not all places are kept. */
static char *take_program(const struct checking *checking, enum variant variant, const char *folder,
                          const struct sha256 *key)
{
    char *program;
    bool good = true;
    if (asprintf(&program, "%s/%s-%s-kept", workdir_path(checking->workdir), variant_name(variant),
                 isa_name(checking->isa)) < 0)
        return NULL;
    for (unsigned place = 0; good && place < checking->bench->places; place++)
        good = take_place(folder, key, program, place);
    if (good)
        return program;
    free(program);
    return NULL;
}

static char *build_trusted(struct checking *checking, enum variant variant)
{
    struct build_result built;
    build_in_places(checking->workdir, checking->context->root, checking->exercise, variant, NULL,
                    checking->isa, checking->bench->defines, checking->bench->places, &built);
    char *program = built.program;
    built.program = NULL;
    if (built.outcome != BUILD_OK)
        result_add_check(checking->result, CHECK_BUILD, variant_name(variant), NULL, VERDICT_ERROR, 0,
                         "the %s does not build: %s", variant_name(variant), built.diagnostics);
    build_result_free(&built);
    return program;
}

char *check_build_trusted(struct checking *checking, enum variant variant)
{
    struct sha256 key;
    char *folder = cache_folder(checking->context->build);
    bool known = folder && program_key(checking, variant, &key);
    char *program = known ? take_program(checking, variant, folder, &key) : NULL;
    if (!program) {
        program = build_trusted(checking, variant);
        for (unsigned place = 0; program && known && place < checking->bench->places; place++)
            keep_place(folder, &key, program, place);
    }
    free(folder);
    return program;
}

void check_skip_bounds(struct checking *checking, const char *reason)
{
    for (size_t i = 0; i < checking->result->checks_count; i++)
        if (checking->result->checks[i].verdict == VERDICT_ERROR)
            reason = "not measured: the suite failed before";
    for (unsigned i = 0; i < checking->exercise->bounds_count; i++) {
        const struct bound_spec *bound = &checking->exercise->bounds[i];
        if (checking->bench->asks(checking, bound))
            result_add_check(checking->result, CHECK_BOUND, bound->name, bound->case_name, VERDICT_SKIP,
                             bound->points, "%s", reason);
    }
}
