/* The cases that YAML files name, held against those that cases.c has. */
#include "grader/exercise/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include "grader/base/textfile.h"
#include "grader/base/yamldoc.h"

bool case_is_there(const struct case_table *table, const char *name, const char *file, const char *path,
                   struct error *err)
{
    char names[CASE_NAMES];
    if (case_find(table, name))
        return true;
    struct yamldoc *doc = yamldoc_open(file, err);
    case_names(table, names);
    if (doc)
        yamldoc_wrong(doc, err, path, "expected a case of the exercise's cases.c (%s), found `%.80s`", names,
                      name);
    yamldoc_close(doc);
    return false;
}

static bool has_cases(const struct case_table *table, const struct exercise *exercise, const char *file,
                      struct error *err)
{
    char path[48];
    for (unsigned i = 0; i < exercise->cases_count; i++) {
        snprintf(path, sizeof path, "correctness.cases[%u]", i + 1);
        if (!case_is_there(table, exercise->cases[i], file, path, err))
            return false;
    }
    for (unsigned i = 0; i < exercise->bounds_count; i++) {
        snprintf(path, sizeof path, "bounds[%u].case", i + 1);
        if (!case_is_there(table, exercise->bounds[i].case_name, file, path, err))
            return false;
    }
    return true;
}

const struct case_table *exercise_cases(const struct exercise *exercise, const char *build, struct error *err)
{
    const struct case_table *table = case_table_of(build, exercise->id, err);
    char *file = textfile_join(exercise->folder, "exercise.yml");
    bool good = table && (file || error_set(err, "out of memory")) && has_cases(table, exercise, file, err);
    free(file);
    return good ? table : NULL;
}
