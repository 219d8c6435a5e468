#include "grader/class/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "grader/base/helper_process.h"
#include "grader/base/textfile.h"
#include "grader/reports/clean.h"
#include "harness/walls/isolation.h"

enum { MOST_DEPTH = 24, MOST_PART = 255, BLOCK = 1 << 16, SHOWN = 200 };
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_GIB = 0 }; /* no limit: its shadow is above any */
#else
enum { MEMORY_GIB = 4 };
#endif

const struct unpack_limits unpack_class = {
    .bytes = UINT64_C(4) << 30, .file = 64 << 20, .entries = 400000, .cpu_seconds = 600};
const struct unpack_limits unpack_student = {
    .bytes = 256 << 20, .file = 1 << 20, .entries = 20000, .cpu_seconds = 30};

size_t unpack_ending(const char *name)
{
    static const char *const endings[] = {".zip",     ".tar",    ".tgz",    ".tar.gz",
                                          ".tar.bz2", ".tar.xz", ".tar.zst"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length > size && strcasecmp(name + length - size, endings[i]) == 0)
            return size;
    }
    return 0;
}

bool unpack_is_archive(const char *name)
{
    return unpack_ending(name) > 0;
}

/* What the process that unpacks answers. */
struct answer {
    enum unpacked how;
    char text[sizeof((struct error *)0)->text];
};

struct unpacking {
    int input, folder;
    const struct unpack_limits *limits;
    const struct isolation *walls;
    struct archive *archive;
    uint64_t bytes;
    uint32_t entries, left_out;
    struct answer answer;
};

/* GCOVR_EXCL_START: in a process of its own, which leaves without what coverage needs */

__attribute__((format(printf, 3, 4))) static bool say(struct unpacking *u, enum unpacked how,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(u->answer.text, sizeof u->answer.text, format, args);
    va_end(args);
    u->answer.how = how;
    return false;
}

#define refuse(U, ...) say(U, UNPACK_REFUSED, __VA_ARGS__)

static bool fail(struct unpacking *u, int why)
{
    return say(u, UNPACK_FAILED, "cannot be unpacked: %s", strerror(why));
}

/* A path without empty parts and ".", in place. False: it leads out, or is no path. *hidden: some part begins
 * with a dot, or is what macOS adds. */
static bool make_plain(char *path, bool *hidden)
{
    char *out = path, *part = path, *next = NULL;
    unsigned depth = 0;
    *hidden = false;
    if (!strchr(path, '/')) /* as some archivers of Windows have it */
        for (char *c = path; *c; c++)
            *c = *c == '\\' ? '/' : *c;
    if (*path == '/')
        return false;
    for (bool last = false; !last; part = next) {
        const size_t size = strcspn(part, "/");
        last = part[size] == '\0';
        next = part + size + !last;
        if (size == 0 || (size == 1 && *part == '.'))
            continue;
        if ((size == 2 && part[0] == '.' && part[1] == '.') || size > MOST_PART || ++depth > MOST_DEPTH)
            return false;
        *hidden = *hidden || *part == '.' || (size == 8 && strncmp(part, "__MACOSX", 8) == 0);
        if (out != path)
            *out++ = '/';
        memmove(out, part, size);
        out += size;
    }
    *out = '\0';
    return true;
}

/* The folder that `path` names below u->folder, made part by part: nothing in the way is followed. -1 with
 * errno. */
static int open_folder(struct unpacking *u, char *path)
{
    int fd = openat(u->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && *path) {
        char *slash = strchr(path, '/');
        if (slash)
            *slash = '\0';
        int next = mkdirat(fd, path, 0700) == 0 || errno == EEXIST
                       ? openat(fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                       : -1;
        const int why = errno;
        close(fd);
        errno = why;
        fd = next;
        path = slash ? slash + 1 : path + strlen(path);
    }
    return fd;
}

static bool count_bytes(struct unpacking *u, uint64_t more)
{
    if (more > u->limits->bytes - u->bytes)
        return refuse(u, "holds more than the %llu MiB that are unpacked",
                      (unsigned long long)(u->limits->bytes >> 20));
    u->bytes += more;
    return true;
}

static bool is_full(int why)
{
    return why == ENOSPC || why == EDQUOT || why == EFBIG || why == EIO || why == EROFS;
}

/* A declared size is counted before anything is read, so that skipping costs no more than reading may. */
static bool write_contents(struct unpacking *u, struct archive_entry *entry, int fd, const char *name)
{
    static char block[BLOCK];
    const bool declared = archive_entry_size_is_set(entry);
    const int64_t size = declared ? archive_entry_size(entry) : 0;
    const bool whole = unpack_is_archive(name);
    uint64_t got = 0;
    if (size < 0 || !count_bytes(u, (uint64_t)size))
        return size >= 0 || refuse(u, "holds %s with a size below zero", name);
    if (!whole && (uint64_t)size > u->limits->file)
        return ftruncate(fd, (off_t)u->limits->file + 1) == 0 || fail(u, errno);
    for (;;) {
        const la_ssize_t part = archive_read_data(u->archive, block, sizeof block);
        if (part == 0)
            return true;
        if (part < 0)
            return refuse(u, "is damaged: %s", archive_error_string(u->archive));
        got += (uint64_t)part;
        if (!declared && !count_bytes(u, (uint64_t)part))
            return false;
        if (declared && got > (uint64_t)size)
            return refuse(u, "holds more of %s than it says", name);
        if (!whole && got > u->limits->file) {
            if (ftruncate(fd, (off_t)u->limits->file + 1) != 0)
                return fail(u, errno);
            continue;
        }
        if (!textfile_write(fd, block, (size_t)part))
            return fail(u, errno);
    }
}

/* The last one of a name counts, as archives have it. */
static bool write_file(struct unpacking *u, struct archive_entry *entry, char *path)
{
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char empty[] = "", shown[SHOWN];
    snprintf(shown, sizeof shown, "%.*s", SHOWN - 1, path);
    if (slash)
        *slash = '\0';
    int folder = open_folder(u, slash ? path : empty), fd = -1;
    if (folder >= 0) {
        unlinkat(folder, name, 0);
        fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        const int why = errno;
        close(folder);
        errno = why;
    }
    if (fd < 0)
        return is_full(errno) ? fail(u, errno) : refuse(u, "holds %s, where something else is", shown);
    const bool good = write_contents(u, entry, fd, name);
    close(fd);
    return good;
}

static bool take_entry(struct unpacking *u, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    char path[4096], shown[SHOWN];
    bool hidden;
    name = name ? name : archive_entry_pathname_utf8(entry);
    if (!name || strlen(name) >= sizeof path)
        return refuse(u, "holds %s", name ? "a path that is too long" : "a name that cannot be read");
    snprintf(path, sizeof path, "%s", name);
    snprintf(shown, sizeof shown, "%.*s", SHOWN - 1, name);
    if (!make_plain(path, &hidden))
        return refuse(u, "holds the path %s, which leads out of it or is too deep", shown);
    if (archive_entry_is_encrypted(entry))
        return refuse(u, "has a password");
    if (++u->entries > u->limits->entries)
        return refuse(u, "holds more than %u files", u->limits->entries);
    if (hidden || !*path)
        return archive_entry_size(entry) <= 0 || count_bytes(u, (uint64_t)archive_entry_size(entry));
    if (archive_entry_hardlink(entry) ||
        (archive_entry_filetype(entry) != AE_IFREG && archive_entry_filetype(entry) != AE_IFDIR)) {
        if (u->left_out++ == 0)
            say(u, UNPACK_DONE, "holds %s, which is a link or a device: those are left out", shown);
        return true;
    }
    if (archive_entry_filetype(entry) == AE_IFREG)
        return write_file(u, entry, path);
    const int fd = open_folder(u, path);
    if (fd >= 0)
        close(fd);
    return fd >= 0 ||
           (is_full(errno) ? fail(u, errno) : refuse(u, "holds %s, where something else is", shown));
}

static bool open_archive(struct unpacking *u)
{
    u->archive = archive_read_new();
    return u->archive && archive_read_support_format_zip(u->archive) >= ARCHIVE_WARN &&
           archive_read_support_format_tar(u->archive) >= ARCHIVE_WARN &&
           archive_read_support_filter_gzip(u->archive) >= ARCHIVE_WARN &&
           archive_read_support_filter_bzip2(u->archive) >= ARCHIVE_WARN &&
           archive_read_support_filter_xz(u->archive) >= ARCHIVE_WARN &&
           archive_read_support_filter_zstd(u->archive) >= ARCHIVE_WARN;
}

static void take_all(struct unpacking *u)
{
    struct archive_entry *entry;
    int how = ARCHIVE_OK;
    if (!open_archive(u)) {
        fail(u, ENOSYS);
    } else if (archive_read_open_fd(u->archive, u->input, BLOCK) != ARCHIVE_OK) {
        refuse(u, "is no archive that can be read: %s", archive_error_string(u->archive));
    } else {
        while ((how = archive_read_next_header(u->archive, &entry)) == ARCHIVE_OK || how == ARCHIVE_WARN)
            if (!take_entry(u, entry))
                break;
        if (how != ARCHIVE_EOF && how < ARCHIVE_WARN)
            refuse(u, "is damaged: %s", archive_error_string(u->archive));
    }
}

static void work(void *state, int output)
{
    struct unpacking *u = state;
    setlocale(LC_CTYPE, "C.UTF-8"); /* or names that are marked as UTF-8 lose what ASCII lacks */
    if (isolation_enter(u->walls))
        take_all(u);
    else
        fail(u, errno);
    textfile_write(output, &u->answer, sizeof u->answer);
}
/* GCOVR_EXCL_STOP */

/* It can hold names. */
static void make_clean(const char *text, struct error *said)
{
    char *clean = clean_line(text, 2 * SHOWN);
    error_set(said, "%s", clean ? clean : "");
    free(clean);
}

enum unpacked unpack(int archive, const char *folder, const struct unpack_limits *limits, struct error *said)
{
    const struct isolation_config config = {.kind = ISOLATION_COMPILER,
                                            .command = "/proc/self/exe",
                                            .writable = folder,
                                            .folder = folder,
                                            .trusted = true,
                                            .limits = {.cpu_seconds = limits->cpu_seconds,
                                                       .memory = (size_t)MEMORY_GIB << 30,
                                                       .file_size = limits->bytes,
                                                       .files = 64}};
    struct isolation *walls = isolation_prepare(&config, said);
    if (!walls)
        return UNPACK_FAILED;
    struct unpacking u = {.input = archive, .limits = limits, .walls = walls};
    struct helper_process *helper = NULL;
    u.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum unpacked how = UNPACK_FAILED;
    if (u.folder < 0) {
        error_set(said, "cannot be unpacked: %s: %s", folder, strerror(errno));
    } else if ((helper = helper_process_start(work, &u, said))) {
        struct answer answer;
        if (helper_process_read(helper, &answer, sizeof answer)) {
            how = answer.how;
            make_clean(answer.text, said);
        } else {
            how = UNPACK_REFUSED;
            error_set(said, "cannot be unpacked: it made the unpacking take too long, or fail");
        }
    }
    helper_process_end(helper);
    if (u.folder >= 0)
        close(u.folder);
    isolation_free(walls);
    return how;
}
