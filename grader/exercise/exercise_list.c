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
    char *folder = textfile_join(root, "exercises");
    char **ids =
        folder ? textfile_names(folder, is_exercise, "", "folders named like 03-branch-elimination", err)
               : NULL; /* two digits in front: by number */
    if (!folder)
        error_set(err, "out of memory");
    free(folder);
    return ids;
}

static bool matches(const char *id, const char *name)
{
    size_t digits = strspn(name, "0123456789");
    if (digits > 0 && digits <= 9 && name[digits] == '\0')
        return strtoul(id, NULL, 10) == strtoul(name, NULL, 10);
    return strcmp(id, name) == 0 || strcmp(id + 3, name) == 0;
}

static void list_text(char *const *ids, const char *only, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (; *ids && used < size; ids++)
        if (!only || matches(*ids, only))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *ids);
}

char *exercise_find(const char *root, const char *name, struct error *err)
{
    char **ids = exercise_list(root, err);
    if (!ids)
        return NULL;
    const char *found = NULL;
    unsigned count = 0;
    for (char **id = ids; *id; id++) {
        if (matches(*id, name)) {
            found = *id;
            count++;
        }
    }
    char list[800];
    char *id = NULL;
    if (count == 1) {
        id = strdup(found);
        if (!id)
            error_set(err, "out of memory");
    } else if (strchr(name, ' ')) {
        error_set(err, "one exercise at a time, like 3: found `%.60s`", name);
    } else if (count == 0) {
        list_text(ids, NULL, list, sizeof list);
        error_set(err, "there is no exercise `%.60s`; there are: %s", name, list);
    } else {
        list_text(ids, name, list, sizeof list);
        error_set(err, "`%.60s` could be any of %s: give the whole name", name, list);
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
