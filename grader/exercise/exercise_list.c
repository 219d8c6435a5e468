/* Which exercises there are, and which one a name means. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/exercise/exercise.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"

bool exercise_is_id(const char *name)
{
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-' &&
           strings_is_kebab(name + 3);
}

static int is_exercise(const struct dirent *entry)
{
    return exercise_is_id(entry->d_name);
}

char **exercise_list(const char *root, struct error *err)
{
    return textfile_names(root, "exercises", is_exercise, "", "folders named like 03-branch-elimination",
                          err); /* two digits in front: by number */
}

static bool matches(const char *id, const char *name)
{
    size_t digits = strspn(name, "0123456789");
    if (digits > 0 && digits <= 9 && name[digits] == '\0')
        return strtoul(id, NULL, 10) == strtoul(name, NULL, 10);
    return strcmp(id, name) == 0 || strcmp(id + 3, name) == 0;
}

char *exercise_find(const char *root, const char *name, struct error *err)
{
    char **ids = exercise_list(root, err);
    if (!ids)
        return NULL;
    const char *found = NULL;
    unsigned count = 0;
    char all[800] = "", those[800] = "", *id = NULL;
    for (char **one = ids; *one; one++) {
        strings_append(all, sizeof all, ", ", *one);
        if (!matches(*one, name))
            continue;
        strings_append(those, sizeof those, ", ", found = *one);
        count++;
    }
    if (count == 1) {
        id = strdup(found);
        if (!id)
            error_set(err, "out of memory");
    } else if (strchr(name, ' ')) {
        error_set(err, "one exercise at a time, like 3: found `%.60s`", name);
    } else if (count == 0) {
        error_set(err, "there is no exercise `%.60s`; there are: %s", name, all);
    } else {
        error_set(err, "`%.60s` could be any of %s: give the whole name", name, those);
    }
    textfile_names_free(ids);
    return id;
}

bool exercise_find_each(const char *root, const char *names, struct strings *ids, struct error *err)
{
    char *copy = strdup(names), *state = NULL;
    bool good = copy != NULL || error_set(err, "out of memory");
    for (char *name = copy ? strtok_r(copy, " ", &state) : NULL; name && good;
         name = strtok_r(NULL, " ", &state)) {
        char *id = exercise_find(root, name, err);
        good = id != NULL;
        if (good && !strings_has(ids, id))
            strings_add(ids, "%s", id);
        free(id);
    }
    free(copy);
    if (good && ids->failed)
        return error_set(err, "out of memory");
    return good && (ids->count > 0 || error_set(err, "EX: expected names of exercises, found none"));
}
