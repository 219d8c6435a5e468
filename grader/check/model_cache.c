#include "grader/check/model_cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "grader/base/cache.h"
#include "harness/emu/emulator.h"

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
