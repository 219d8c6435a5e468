#include "grader/check/model_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/build/build_cache.h"
#include "grader/base/cache.h"
#include "grader/base/textfile.h"
#include "harness/emu/emulator.h"

enum { FILE_LIMIT = 16 << 20 };

/* ---- what a program follows from ---- */

static bool build_key(const struct checking *checking, enum variant variant, struct sha256 *key)
{
    const struct exercise *exercise = checking->exercise;
    const char *isa = isa_name(checking->isa);
    char path[4096];
    char *runner = runner_object(checking->isa, "runner.o");
    bool good = cache_key(key) && runner && sha256_file(key, runner);

    free(runner);
    sha256_words(key, "program");
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

/* ---- programs ---- */

/* In the work folder, as if it had been built there. */
static char *unpack(const struct checking *checking, enum variant variant, const void *data, size_t size)
{
    char *path;
    if (asprintf(&path, "%s/%s-%s-cached", workdir_path(checking->workdir), variant_name(variant),
                 isa_name(checking->isa)) < 0)
        return NULL;
    if (build_cache_write(path, data, size))
        return path;
    free(path);
    return NULL;
}

char *model_cache_build(struct checking *checking, enum variant variant)
{
    struct sha256 key;
    struct error ignored;
    size_t size;
    char *program = NULL, *folder = cache_folder(checking->context->build);
    bool known = folder && build_key(checking, variant, &key);
    char *cached = known ? cache_get(folder, &key, &size) : NULL;

    if (cached)
        program = unpack(checking, variant, cached, size);
    free(cached);
    if (!program) {
        program = check_build_trusted(checking, variant);
        char *fresh = program && known ? textfile_read(program, FILE_LIMIT, &size, &ignored) : NULL;
        if (fresh)
            cache_put(folder, &key, fresh, size);
        free(fresh);
    }
    free(folder);
    return program;
}

/* ---- counts ---- */

static bool measure_key(const struct checking *checking, const struct model_task *task, const char *program,
                        struct sha256 *key)
{
    char path[4096];
    bool good = cache_key(key) && sha256_file(key, program);
    sha256_words(key, "counts");
    sha256_number(key, emulator_version());
    snprintf(path, sizeof path, "%s/harness/model/cores/%s.yml", checking->context->root, task->core->name);
    good = good && sha256_file(key, path);
    case_table_path(checking->context->build, checking->exercise->id, path, sizeof path);
    good = good && sha256_file(key, path);
    sha256_words(key, task->def->name);
    sha256_number(key, task->size.elements);
    sha256_number(key, task->size.calls);
    sha256_number(key, task->size.warm_up);
    sha256_number(key, task->seed);
    sha256_number(key, task->student);
    return good;
}

enum model_outcome model_cache_measure(struct checking *checking, const struct model_task *task,
                                       enum variant variant, struct model_measured *measured,
                                       struct fault_text *text)
{
    const char *program = checking->program[variant];
    enum model_outcome outcome = MODEL_MEASURED;
    struct sha256 key;
    size_t size = 0;
    char *folder = cache_folder(checking->context->build);
    bool known = folder && measure_key(checking, task, program, &key);
    struct model_measured *cached = known ? cache_get(folder, &key, &size) : NULL;

    if (cached && size == sizeof *cached) {
        *measured = *cached;
    } else {
        outcome = model_measure(task, program, checking->context->arena, measured, text);
        if (outcome == MODEL_MEASURED && known)
            cache_put(folder, &key, measured, sizeof *measured);
    }
    free(cached);
    free(folder);
    return outcome;
}
