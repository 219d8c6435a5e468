#include "grader/exercise/stubs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/textfile.h"

char *stub_folder(const struct exercise *exercise)
{
    return textfile_join(exercise->folder, "stub");
}

char *stub_read(const struct exercise *exercise, const char *name, size_t *size, struct error *err)
{
    char *path = NULL;
    if (asprintf(&path, "%s/stub/%s", exercise->folder, name) < 0) {
        error_set(err, "out of memory");
        return NULL;
    }
    char *text = textfile_read(path, STUB_LIMIT, size, err);
    free(path);
    return text;
}

bool stub_has_hash(const struct exercise *exercise, const char hash[SHA256_TEXT])
{
    struct error ignored;
    char *path = textfile_join(exercise->folder, "stub.sha256");
    char *lines = path ? textfile_read(path, STUB_LIMIT, NULL, &ignored) : NULL;
    bool found = lines && strlen(hash) == SHA256_TEXT - 1 && strstr(lines, hash);
    free(lines);
    free(path);
    return found;
}

bool stub_is_text(const struct exercise *exercise, const void *text, size_t size)
{
    char hash[SHA256_TEXT];
    struct sha256 whole = sha256_new();
    sha256_bytes(&whole, text, size);
    sha256_text(&whole, hash);
    return stub_has_hash(exercise, hash);
}

bool stub_is_file(const struct exercise *exercise, const char *path)
{
    struct error ignored;
    size_t size = 0;
    char *text = textfile_read(path, STUB_LIMIT, &size, &ignored);
    bool is = text && stub_is_text(exercise, text, size);
    free(text);
    return is;
}
