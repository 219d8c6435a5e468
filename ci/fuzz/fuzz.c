#include "ci/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "grader/base/textfile.h"

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(fuzz_folder(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    static char folder[512];
    const char *above = getenv("TMPDIR");
    if (*folder)
        return folder;
    snprintf(folder, sizeof folder, "%s/fuzz-XXXXXX", above && *above ? above : "/tmp");
    fuzz_must(mkdtemp(folder), "a folder to work in");
    atexit(remove_folder);
    return folder;
}

const char *fuzz_path(const char *name)
{
    static char paths[8][1024];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder(), name);
    return path;
}

void fuzz_make_folder(const char *name)
{
    struct error err;
    fuzz_must(textfile_make_folder(fuzz_path(name), &err), "a folder");
}

void fuzz_write(const char *name, const void *data, size_t size)
{
    int fd = open(fuzz_path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    fuzz_must(fd >= 0 && textfile_write(fd, data, size) && close(fd) == 0, "a file written");
}

void fuzz_must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz: not so: %s\n", what);
    abort();
}

void fuzz_printable(const char *text)
{
    fuzz_must(text, "a text");
    for (const char *c = text; *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 0x7f)
            fuzz_must(false, text);
}
