/* For tests: a folder of their own that goes away again, and what is in it. Not in a .c file, since each test
 * file stands by itself. */
#ifndef CYCLELAB_SCRATCH_H
#define CYCLELAB_SCRATCH_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_root[PATH_MAX];

static inline void scratch_make(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(scratch_root, sizeof scratch_root, "%s/cyclelab-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    cr_assert(mkdtemp(scratch_root), "%s cannot be created", scratch_root);
}

static inline int scratch_remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void scratch_remove(void)
{
    nftw(scratch_root, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A skipped test never sees its .fini. */
#define scratch_skip(REASON)                                                                                 \
    do {                                                                                                     \
        scratch_remove();                                                                                    \
        cr_skip_test(REASON);                                                                                \
    } while (0)

/* The path of `name` in the scratch folder; good until the eighth call after. */
static inline const char *scratch_path(const char *name)
{
    static char paths[8][2 * PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_root, name);
    return path;
}

/* Write a file, with the folders above it. */
static inline void scratch_write(const char *name, const char *text)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s", scratch_path(name));
    for (char *slash = path + strlen(scratch_root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0777);
    }
    FILE *file = fopen(path, "w");
    cr_assert(file, "%s cannot be written", path);
    fputs(text, file);
    fclose(file);
}

/* What is in a file, "" for none; malloc'ed. */
static inline char *scratch_read(const char *name)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(scratch_path(name), "r");
    if (!file)
        return strdup("");
    if (getdelim(&text, &size, EOF, file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

/* How many files are in a folder; 0 where there is none. */
static inline unsigned scratch_count(const char *name)
{
    DIR *folder = opendir(scratch_path(name));
    unsigned count = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

static inline void scratch_expect(const char *name, const char *text)
{
    char *found = scratch_read(name);
    cr_expect_str_eq(found, text, "%s", name);
    free(found);
}

/* Does `text` hold `piece`? */
#define expect_has(TEXT, PIECE) cr_expect(strstr((TEXT), (PIECE)), "expected `%s` in:\n%s", (PIECE), (TEXT))
#define expect_lacks(TEXT, PIECE)                                                                            \
    cr_expect(!strstr((TEXT), (PIECE)), "expected no `%s` in:\n%s", (PIECE), (TEXT))

#endif
