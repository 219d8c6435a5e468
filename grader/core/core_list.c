/* Which cores there are. */
#include "grader/core/core_file_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/strings.h"
#include "grader/base/textfile.h"

/* "cortex-a55.yml" in the folder: the length of the name without its ending, 0 for another file. */
static size_t core_name_length(const char *entry)
{
    size_t length = strlen(entry);
    char name[CORE_NAME];
    if (length <= 4 || length - 4 >= sizeof name || strcmp(entry + length - 4, ".yml") != 0)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(length - 4), entry);
    return strings_is_kebab(name) ? length - 4 : 0;
}

static int is_core(const struct dirent *entry)
{
    return core_name_length(entry->d_name) > 0;
}

char **core_list(const char *root, struct error *err)
{
    struct dirent **entries = NULL;
    char *path = textfile_join(root, CORE_FOLDER), **names = NULL;
    int count = path ? scandir(path, &entries, is_core, alphasort) : -1;
    if (count < 0)
        error_set(err, "%s: cannot be read: %s; is this the project's folder?", path ? path : CORE_FOLDER,
                  strerror(errno));
    else if (count == 0)
        error_set(err, "%s: expected files named like cortex-a55.yml, found none", path);
    else if (!(names = calloc((size_t)count + 1, sizeof *names)))
        error_set(err, "out of memory");
    for (int i = 0; i < count; i++) {
        if (names && !(names[i] = strndup(entries[i]->d_name, core_name_length(entries[i]->d_name)))) {
            error_set(err, "out of memory");
            core_list_free(names);
            names = NULL;
        }
        free(entries[i]);
    }
    free(entries);
    free(path);
    return names;
}

void core_list_free(char **names)
{
    for (char **name = names; name && *name; name++)
        free(*name);
    free(names);
}

bool core_exists(const char *root, const char *name, struct error *err)
{
    char **names = core_list(root, err), list[400] = "";
    if (!names)
        return false;
    bool found = false;
    for (char **known = names; *known; known++) {
        found = found || strcmp(*known, name) == 0;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *known);
    }
    core_list_free(names);
    return found || error_set(err, "there is no core `%.60s`; there are: %s", name, list);
}
