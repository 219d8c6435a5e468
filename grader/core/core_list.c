/* Which cores there are. */
#include "grader/core/core_file_internal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/strings.h"
#include "grader/base/textfile.h"

/* "cortex-a55.yml" */
static int is_core(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    char name[CORE_NAME];
    if (length <= 4 || length - 4 >= sizeof name || strcmp(entry->d_name + length - 4, ".yml") != 0)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(length - 4), entry->d_name);
    return strings_is_kebab(name);
}

char **core_list(const char *root, struct error *err)
{
    return textfile_names(root, CORE_FOLDER, is_core, ".yml", "files named like cortex-a55.yml", err);
}

bool core_exists(const char *root, const char *name, struct error *err)
{
    char **names = core_list(root, err), list[400] = "";
    if (!names)
        return false;
    bool found = false;
    for (char **known = names; *known; known++) {
        found = found || strcmp(*known, name) == 0;
        strings_append(list, sizeof list, ", ", *known);
    }
    textfile_names_free(names);
    return found || error_set(err, "there is no core `%.60s`; there are: %s", name, list);
}
