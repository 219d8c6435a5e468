/* For tests of building: a folder with a student's sources that goes away again. */
#ifndef CYCLELAB_TEST_SOURCES_H
#define CYCLELAB_TEST_SOURCES_H

#include <criterion/criterion.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[4096];

static inline void sources_create(void)
{
    snprintf(scratch, sizeof scratch, "/tmp/cyclelab-test-XXXXXX");
    cr_assert(mkdtemp(scratch));
    chmod(scratch, 0755);
}

static inline int sources_remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info, (void)type, (void)ftw;
    remove(path);
    return 0;
}

static inline void sources_remove(void)
{
    nftw(scratch, sources_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* "name" in the folder; good until the eighth call from now. */
static inline const char *sources_path(const char *name)
{
    static char paths[8][4500];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
    return path;
}

/* Write a file, and the folders above it. */
static inline const char *sources_write(const char *name, const char *text)
{
    const char *path = sources_path(name);
    char folder[4500];
    for (const char *slash = strchr(path + strlen(scratch) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        cr_assert(mkdir(folder, 0755) == 0 || errno == EEXIST);
    }
    FILE *file = fopen(path, "w");
    cr_assert(file, "%s: %s", path, strerror(errno));
    fputs(text, file);
    fclose(file);
    return path;
}

#endif
