#include "grader/base/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 4096 };

static bool failed(struct error *err, const char *what, const char *path)
{
    int why = errno;
    error_set(err, "%s: %s: %s", path, what, strerror(why));
    errno = why;
    return false;
}

static char *read_open(int fd, const char *path, size_t limit, size_t *size, struct error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        failed(err, "cannot be read", path);
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        error_set(err, "%s: expected a regular file, found %s", path,
                  S_ISDIR(info.st_mode) ? "a folder" : "something else");
        return NULL;
    }
    /* As much as fstat says, and more where it was wrong; one byte more than is allowed tells what is too
     * large. */
    size_t have = 0, room = info.st_size > 0 && (size_t)info.st_size <= limit ? (size_t)info.st_size : 0;
    char *text = NULL;
    for (;;) {
        room = room > have ? room : 2 * have + FIRST_ROOM;
        room = room <= limit ? room : limit;
        char *more = realloc(text, room + 2);
        text = more ? more : text;
        ssize_t got = more ? read(fd, text + have, room + 1 - have) : -1;
        if (got < 0 && more && errno == EINTR)
            continue;
        if (got < 0) {
            failed(err, "cannot be read", path);
            free(text);
            return NULL;
        }
        have += (size_t)got;
        if (got == 0 || have > limit)
            break;
    }
    if (have > limit) {
        error_set(err, "%s: expected at most %zu bytes, found more", path, limit);
        free(text);
        errno = EFBIG;
        return NULL;
    }
    text[have] = '\0';
    if (size)
        *size = have;
    char *fitting = realloc(text, have + 1);
    return fitting ? fitting : text;
}

char *textfile_read(const char *path, size_t limit, size_t *size, struct error *err)
{
    /* Not blocking: a FIFO in the file's place must not hang the reader. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        failed(err, "cannot be opened", path);
        return NULL;
    }
    char *text = read_open(fd, path, limit, size, err);
    int why = errno;
    close(fd);
    errno = why;
    return text;
}

bool textfile_write(int fd, const void *data, size_t size)
{
    const char *next = data;
    while (size > 0) {
        ssize_t put = write(fd, next, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        next += put;
        size -= (size_t)put;
    }
    return true;
}

/* A name of our own beside `path`. Created by open, not mkstemp, so that the umask gives the usual mode. */
static int open_beside(const char *path, char **name)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        if (asprintf(name, "%s.tmp-%ld-%u", path, (long)getpid(), attempt) < 0) {
            *name = NULL;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
        free(*name);
        *name = NULL;
    }
    return -1;
}

bool textfile_replace(const char *path, const void *data, size_t size, struct error *err)
{
    char *beside = NULL;
    int fd = open_beside(path, &beside);
    if (fd < 0) {
        failed(err, "cannot be written", path);
        free(beside);
        return false;
    }
    /* Each step may be the one that tells of a full disk. */
    bool ok = textfile_write(fd, data, size) && fsync(fd) == 0;
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && rename(beside, path) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok) {
        unlink(beside);
        errno = why;
        failed(err, "cannot be written", path);
    }
    free(beside);
    return ok;
}

bool textfile_make_folder(const char *path, struct error *err)
{
    char *copy = strdup(path);
    if (!copy)
        return failed(err, "cannot be created", path);
    bool ok = true;
    for (char *slash = copy + 1; ok && *copy; slash++) {
        if (*slash != '/' && *slash != '\0')
            continue;
        bool last = *slash == '\0';
        *slash = '\0';
        struct stat info;
        int why = mkdir(copy, 0777) == 0 ? 0 : errno;
        if (why && !(stat(copy, &info) == 0 && S_ISDIR(info.st_mode))) {
            errno = why;
            ok = failed(err, "cannot be created", copy);
        }
        if (last)
            break;
        *slash = '/';
    }
    free(copy);
    return ok;
}

char *textfile_join(const char *folder, const char *name)
{
    char *path = NULL;
    if (*folder == '\0' || strcmp(folder, ".") == 0)
        return strdup(name);
    size_t length = strlen(folder);
    bool slash = folder[length - 1] == '/';
    return asprintf(&path, "%s%s%s", folder, slash ? "" : "/", name) < 0 ? NULL : path;
}

const char *textfile_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char **textfile_names(const char *root, const char *folder, int (*wanted)(const struct dirent *),
                      const char *ending, const char *expected, struct error *err)
{
    struct dirent **entries = NULL;
    char *path = textfile_join(root, folder);
    int count = path ? scandir(path, &entries, wanted, alphasort) : -1;
    if (count < 0)
        error_set(err, "%s: cannot be read: %s; is this the project's folder?", path ? path : folder,
                  strerror(errno));
    else if (count == 0)
        error_set(err, "%s: expected %s, found none", path, expected);
    free(path);
    char **names = count > 0 ? calloc((size_t)count + 1, sizeof *names) : NULL;
    bool good = names != NULL;
    for (int i = 0; i < count; i++) {
        if (good)
            names[i] = strndup(entries[i]->d_name, strlen(entries[i]->d_name) - strlen(ending));
        good = good && names[i];
        free(entries[i]);
    }
    free(entries);
    if (good)
        return names;
    if (count > 0)
        error_set(err, "out of memory");
    textfile_names_free(names);
    return NULL;
}

void textfile_names_free(char **names)
{
    for (char **name = names; name && *name; name++)
        free(*name);
    free(names);
}

bool textfile_has_folder(const char *path, const char *option, struct error *err)
{
    char *copy = strdup(path);
    const char *folder = copy ? dirname(copy) : NULL;
    bool good = !folder ? error_set(err, "out of memory")
                        : access(folder, W_OK | X_OK) == 0 ||
                              error_set(err, "%s=%s: a file cannot be written there: %s: %s", option, path,
                                        folder, strerror(errno));
    free(copy);
    return good;
}
