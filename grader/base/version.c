#include "grader/base/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"

const char *version_read(const char *build, char text[VERSION_TEXT])
{
    struct error ignored;
    size_t size = 0;
    char *path = textfile_join(build, "version");
    char *found = path ? textfile_read(path, VERSION_TEXT, &size, &ignored) : NULL;
    size_t length = found ? strcspn(found, "\n") : 0;
    if (length > 0 && length < VERSION_TEXT)
        snprintf(text, VERSION_TEXT, "%.*s", (int)length, found);
    else
        snprintf(text, VERSION_TEXT, "unknown");
    free(found);
    free(path);
    return text;
}
