/* Opening what a student may have put there. */
#include "grader/class/grade_find.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/textfile.h"

enum { LONGEST = 180 };

/* The folder that holds the last part of `path`, opened part by part; *name is that part. */
static int open_parent(int folder, const char *path, const char **name)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *slash;
    while (fd >= 0 && (slash = strchr(path, '/'))) {
        char part[256];
        int next = -1;
        if ((size_t)(slash - path) < sizeof part) {
            memcpy(part, path, (size_t)(slash - path));
            part[slash - path] = '\0';
            next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            struct stat info;
            if (next < 0 && errno == ENOTDIR && fstatat(fd, part, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                S_ISLNK(info.st_mode))
                errno = ELOOP;
        } else {
            errno = ENAMETOOLONG;
        }
        int why = errno;
        close(fd);
        errno = why;
        fd = next;
        path = slash + 1;
    }
    *name = path;
    return fd;
}

/* Asked before it is opened, since opening a device can do something, and after, since it can be another one.
 */
static bool is_good(const struct stat *info, size_t limit)
{
    errno = S_ISLNK(info->st_mode)             ? ELOOP
            : S_ISDIR(info->st_mode)           ? EISDIR
            : !S_ISREG(info->st_mode)          ? EINVAL
            : info->st_size > (long long)limit ? EFBIG
                                               : 0;
    return errno == 0;
}

int grade_open(int folder, const char *path, size_t limit)
{
    const char *name;
    struct stat info;
    int parent = open_parent(folder, path, &name), fd = -1;
    if (parent < 0)
        return -1;
    if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && is_good(&info, limit)) {
        fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd >= 0 && (fstat(fd, &info) != 0 || !is_good(&info, limit))) {
            int why = errno;
            close(fd);
            errno = why;
            fd = -1;
        }
    }
    int why = errno;
    close(parent);
    errno = why;
    return fd;
}

static char *read_all(int fd, size_t limit, size_t *size)
{
    struct stat info;
    size_t room = 0;
    char *data = NULL;
    *size = 0;
    if (fstat(fd, &info) == 0)
        room = (size_t)info.st_size;
    for (;;) { /* whatever the size was said to be */
        if (room <= *size)
            room = *size + 4096;
        char *more = realloc(data, room + 1);
        if (!more)
            break;
        data = more;
        ssize_t got = read(fd, data + *size, room - *size);
        if (got == 0) {
            data[*size] = '\0';
            return data;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        *size += (size_t)got;
        if (*size > limit) {
            errno = EFBIG;
            break;
        }
    }
    free(data);
    return NULL;
}

char *grade_read(int folder, const char *path, size_t limit, size_t *size)
{
    int fd = grade_open(folder, path, limit);
    if (fd < 0)
        return NULL;
    char *data = read_all(fd, limit, size);
    int why = errno;
    close(fd);
    errno = why;
    return data;
}

static bool stage_file(const struct grade_file *file, const char *path, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool good = fd >= 0 && textfile_write(fd, file->data, file->size);
    if (!good)
        error_set(err, "cannot write %s: %s", file->name, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

bool grade_stage(const struct grade_entry *entry, const char *folder, struct error *err)
{
    bool good = true;
    for (size_t i = 0; good && i < entry->files_count; i++) {
        char *path = textfile_join(folder, entry->files[i].name), *slash = path ? strrchr(path, '/') : NULL;
        if (!slash)
            return error_set(err, "out of memory");
        *slash = '\0';
        good = textfile_make_folder(path, err);
        *slash = '/';
        good = good && stage_file(&entry->files[i], path, err);
        free(path);
    }
    return good;
}

/* `=` begins each escape, so no name can look like another's. One that gets too long ends in `=~` and its
 * hash. */
char *grade_safe_name(const char *name)
{
    size_t length = strlen(name);
    char *safe = malloc(3 * length + SHA256_TEXT + 3), *out = safe;
    if (!safe)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if ((c < 0x80 && isalnum(c)) || c == '-' || c == '_' || (c == '.' && i > 0))
            *out++ = (char)c;
        else
            out += snprintf(out, 4, "=%02x", c);
    }
    *out = '\0';
    if (out - safe <= LONGEST && length > 0)
        return safe;
    struct sha256 hash = sha256_new();
    char text[SHA256_TEXT];
    sha256_words(&hash, name);
    sha256_text(&hash, text);
    size_t keep = out - safe <= LONGEST ? (size_t)(out - safe) : LONGEST;
    for (size_t back = 0; back < 3 && back < keep; back++) /* no half of an escape */
        if (safe[keep - back - 1] == '=' && back < 2)
            keep -= back + 1;
    sprintf(safe + keep, "=~%.32s", text);
    return safe;
}
