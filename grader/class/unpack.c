#include "grader/class/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/helper_process.h"
#include "grader/base/textfile.h"
#include "grader/reports/clean.h"
#include "harness/walls/isolation.h"

enum { MOST_DEPTH = 24, MOST_PART = 255, MOST_PATH = 4096, BLOCK = 1 << 16, SHOWN = 200 };
/* A student's folder in an export is no deeper than this (MOST_DESCENTS in grade_find.c). */
enum { MOST_LIST = 16 << 20, STUDENT_DEPTH = 4 };
static const char list_name[] = ".left-out";
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_GIB = 0 }; /* no limit: its shadow is above any */
#else
enum { MEMORY_GIB = 4 };
#endif

const struct unpack_limits unpack_class = {.bytes = UINT64_C(4) << 30,
                                           .file = 1 << 20,
                                           .archive = 256 << 20,
                                           .kept_alone = true,
                                           .entries = 400000,
                                           .cpu_seconds = 600};
const struct unpack_limits unpack_student = {
    .bytes = 256 << 20, .file = 1 << 20, .archive = 256 << 20, .entries = 20000, .cpu_seconds = 30};

/* What the process that unpacks answers. */
struct answer {
    enum unpacked how;
    struct unpack_used used;
    char text[sizeof((struct error *)0)->text];
};

struct unpacking {
    int input, folder;
    const struct unpack_limits *limits;
    const struct isolation *walls;
    struct archive *archive;
    uint64_t before; /* bytes of other archives */
    uint32_t left_out;
    int list; /* of what was left out; -1: not there yet */
    size_t listed;
    char last[MOST_PATH + 1]; /* in the list, with its kind */
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

/* Not what an archive can bring about. */
static bool is_fault(int why)
{
    static const int faults[] = {EIO,    ENOSPC, EDQUOT, EROFS, ENOMEM, EMFILE, ENFILE,
                                 EACCES, EPERM,  ENODEV, ENXIO, ESTALE, EBADF,  ETIMEDOUT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (why == faults[i])
            return true;
    return false;
}

static bool is_full(int why)
{
    return why == ENOSPC || why == EDQUOT || why == EFBIG || why == EIO || why == EROFS;
}

static bool fail(struct unpacking *u, int why)
{
    return say(u, UNPACK_FAILED, "cannot be unpacked: %s%s", strerror(why),
               is_full(why) ? ": make room in the folder for temporary files, or name another in TMPDIR"
                            : "");
}

/* libarchive could not go on. What takes more memory than our own limit is the archive's, less the session's.
 */
static bool stop(struct unpacking *u, const char *is)
{
    struct rlimit limit;
    const int why = archive_errno(u->archive);
    const bool ours = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == (rlim_t)MEMORY_GIB << 30;
    if (is_fault(why) && (why != ENOMEM || !ours))
        return fail(u, why);
    return refuse(u, "%s: %s", is, archive_error_string(u->archive));
}

enum path { PATH_PLAIN, PATH_DEEP, PATH_OUT };

/* A path without empty parts and ".", in place. PATH_OUT: it leads out. PATH_DEEP: more parts than there may
 * be, or longer ones; the first *possible bytes could be made. *hidden: some part begins with a dot, or is
 * what macOS adds. */
static enum path make_plain(char *path, bool *hidden, size_t *possible)
{
    char *out = path, *part = path, *next = NULL;
    unsigned depth = 0;
    bool good = true;
    *hidden = false;
    *possible = 0;
    if (!strchr(path, '/')) /* as some archivers of Windows have it */
        for (char *c = path; *c; c++)
            *c = *c == '\\' ? '/' : *c;
    if (*path == '/')
        return PATH_OUT;
    for (bool last = false; !last; part = next) {
        const size_t size = strcspn(part, "/");
        last = part[size] == '\0';
        next = part + size + !last;
        if (size == 0 || (size == 1 && *part == '.'))
            continue;
        if (size == 2 && part[0] == '.' && part[1] == '.')
            return PATH_OUT;
        *hidden = *hidden || *part == '.' || (size == 8 && strncmp(part, "__MACOSX", 8) == 0);
        if (out != path)
            *out++ = '/';
        memmove(out, part, size);
        out += size;
        good = good && size <= MOST_PART && ++depth <= MOST_DEPTH;
        *possible = good ? (size_t)(out - path) : *possible;
    }
    *out = '\0';
    return good ? PATH_PLAIN : PATH_DEEP;
}

/* Whose are the limits? A class can be graded without them. */
static const char *remedy(const struct unpacking *u)
{
    return u->limits->kept_alone ? ": unpack it yourself and grade the folder" : "";
}

static bool count_entry(struct unpacking *u)
{
    return ++u->answer.used.entries <= u->limits->entries ||
           refuse(u, "holds more than %u files and folders%s", u->limits->entries, remedy(u));
}

/* A folder or file could not be made. */
static bool cannot_make(struct unpacking *u, const char *path)
{
    if (is_full(errno) || is_fault(errno))
        return fail(u, errno);
    return refuse(u, "holds %s, where something else is", path);
}

/* The folder that `path` names below u->folder, made part by part: nothing in the way is followed. -1, which
 * is said; `shown` is the whole path. */
static int open_folder(struct unpacking *u, char *path, const char *shown)
{
    int fd = openat(u->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && *path) {
        char *slash = strchr(path, '/');
        int next = -1;
        if (slash)
            *slash = '\0';
        const bool made = mkdirat(fd, path, 0700) == 0;
        if (made && !count_entry(u)) {
            close(fd);
            return -1;
        }
        if (made || errno == EEXIST)
            next = openat(fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int why = errno;
        close(fd);
        errno = why;
        fd = next;
        path = slash ? slash + 1 : path + strlen(path);
    }
    if (fd < 0)
        cannot_make(u, shown);
    return fd;
}

static bool count_bytes(struct unpacking *u, uint64_t more)
{
    const uint64_t used = u->answer.used.bytes, most = u->limits->bytes;
    if (used > most || more > most - used)
        return refuse(u, "holds more than %sthe %llu MiB that are unpacked%s",
                      u->before > 0 ? "what other archives left of " : "", (unsigned long long)(most >> 20),
                      remedy(u));
    u->answer.used.bytes += more;
    return true;
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), size = strlen(ending);
    return length > size && strcasecmp(name + length - size, ending) == 0;
}

/* Whose contents anybody looks at: archives, C and assembly, and what Gradescope and Blackboard know of a
 * class. */
static bool is_read(const char *name)
{
    return unpack_is_archive(name) || ends_in(name, ".c") || ends_in(name, ".s") || ends_in(name, ".yml") ||
           ends_in(name, ".txt");
}

/* What is larger is kept as nothing but its size. */
static uint64_t most_of(const struct unpacking *u, const char *name)
{
    return unpack_is_archive(name) || ends_in(name, ".yml") ? u->limits->archive : u->limits->file;
}

/* So many bytes that take no room, or more than are read. */
static bool set_size(struct unpacking *u, int fd, uint64_t size, uint64_t most)
{
    return ftruncate(fd, (off_t)(size > most ? most + 1 : size)) == 0 || fail(u, errno);
}

/* A declared size is counted before anything is read, so that skipping costs no more than reading may. */
static bool write_contents(struct unpacking *u, struct archive_entry *entry, int fd, const char *name)
{
    static char block[BLOCK];
    const bool declared = archive_entry_size_is_set(entry);
    const int64_t size = declared ? archive_entry_size(entry) : 0;
    const uint64_t most = most_of(u, name);
    const bool skipped = !is_read(name) || (declared && (uint64_t)size > most);
    const bool counts = !skipped || !u->limits->kept_alone;
    uint64_t got = 0;
    if (size < 0)
        return refuse(u, "holds %s with a size below zero", name);
    if (counts && !count_bytes(u, (uint64_t)size))
        return false;
    if (skipped && declared)
        return set_size(u, fd, (uint64_t)size, most);
    for (;;) {
        const la_ssize_t part = archive_read_data(u->archive, block, sizeof block);
        if (part == 0)
            return true;
        if (part < 0)
            return stop(u, "is damaged");
        got += (uint64_t)part;
        if (!declared && counts && !count_bytes(u, (uint64_t)part))
            return false;
        if (declared && got > (uint64_t)size)
            return refuse(u, "holds more of %s than it says", name);
        if (skipped || got > most) {
            if (!set_size(u, fd, got, most))
                return false;
        } else if (!textfile_write(fd, block, (size_t)part)) {
            return fail(u, errno);
        }
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
    const int folder = open_folder(u, slash ? path : empty, shown);
    if (folder < 0)
        return false;
    unlinkat(folder, name, 0);
    const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool made = fd >= 0 || cannot_make(u, shown);
    close(folder);
    if (!made)
        return false;
    const bool good = write_contents(u, entry, fd, name);
    close(fd);
    return good;
}

/* To the list; of what follows each other in one folder of a student the first. A list that is full tells no
 * more. */
static bool list_left_out(struct unpacking *u, enum unpack_left_out kind, const char *path)
{
    char text[MOST_PATH + 1];
    size_t same = 1;
    const int length = snprintf(text, sizeof text, "%c%s", (char)kind, path);
    for (unsigned parts = 0; text[same] && (text[same] != '/' || ++parts < STUDENT_DEPTH); same++) {
    }
    if (strncmp(text, u->last, same) == 0 && (u->last[same] == '/' || u->last[same] == '\0'))
        return true;
    if (u->list < 0)
        u->list = openat(u->folder, list_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    memcpy(u->last, text, sizeof text);
    u->listed += (size_t)length + 1;
    return u->list >= 0 && (u->listed > MOST_LIST || textfile_write(u->list, text, (size_t)length + 1));
}

/* The first *possible bytes of its path are made, or whoever has nothing else would not be there. */
static bool leave_out(struct unpacking *u, enum unpack_left_out kind, char *path, size_t possible,
                      const char *shown)
{
    if (u->left_out++ == 0)
        say(u, UNPACK_DONE, "holds %s, which is %s: those are left out", shown, unpack_why(kind));
    if (!u->limits->kept_alone)
        return true;
    if (!list_left_out(u, kind, path))
        return fail(u, errno);
    path[possible] = '\0';
    const int fd = open_folder(u, path, shown);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* The archive's path, plain; of one that has no room what has, which is PATH_DEEP. */
static enum path read_path(const char *name, char path[MOST_PATH], bool *hidden, size_t *possible)
{
    const bool cut = snprintf(path, MOST_PATH, "%s", name) >= MOST_PATH;
    char *const slash = cut ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = '\0';
    const enum path kind = make_plain(path, hidden, possible);
    return cut && kind == PATH_PLAIN ? PATH_DEEP : kind;
}

static bool take_entry(struct unpacking *u, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    char path[MOST_PATH], shown[SHOWN];
    bool hidden;
    size_t possible;
    name = name ? name : archive_entry_pathname_utf8(entry);
    if (!name)
        return refuse(u, "holds a name that cannot be read");
    snprintf(shown, sizeof shown, "%.*s", SHOWN - 1, name);
    const enum path kind = read_path(name, path, &hidden, &possible);
    if (kind == PATH_OUT || (kind == PATH_DEEP && !u->limits->kept_alone))
        return refuse(u, "holds the path %s, which leads out of it or is %s%s", shown,
                      unpack_why(UNPACK_DEEP), remedy(u));
    if (archive_entry_is_encrypted(entry))
        return refuse(u, "has a password");
    if (archive_entry_filetype(entry) != AE_IFDIR && !count_entry(u)) /* folders, where they are made */
        return false;
    if (hidden || !*path)
        return archive_entry_size(entry) <= 0 || u->limits->kept_alone ||
               count_bytes(u, (uint64_t)archive_entry_size(entry));
    if (kind == PATH_DEEP)
        return leave_out(u, UNPACK_DEEP, path, possible, shown);
    if (archive_entry_hardlink(entry) ||
        (archive_entry_filetype(entry) != AE_IFREG && archive_entry_filetype(entry) != AE_IFDIR)) {
        const char *slash = strrchr(path, '/');
        return leave_out(u, UNPACK_LINK, path, slash ? (size_t)(slash - path) : 0, shown);
    }
    if (archive_entry_filetype(entry) == AE_IFREG)
        return write_file(u, entry, path);
    const int fd = open_folder(u, path, shown);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
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
        stop(u, "is no archive that can be read");
    } else {
        while ((how = archive_read_next_header(u->archive, &entry)) == ARCHIVE_OK || how == ARCHIVE_WARN)
            if (!take_entry(u, entry))
                break;
        if (how != ARCHIVE_EOF && how != ARCHIVE_OK && how != ARCHIVE_WARN) /* ARCHIVE_RETRY is damage too */
            stop(u, "is damaged");
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
    u->answer.used.cpu_seconds += (unsigned)(clock() / CLOCKS_PER_SEC);
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

/* Out of what we allow, and not out of what the session does, or ended by somebody? */
static bool is_own_limit(int status, const struct unpack_limits *limits)
{
    struct rlimit session;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU && getrlimit(RLIMIT_CPU, &session) == 0 &&
           session.rlim_cur >= limits->cpu_seconds;
}

enum unpacked unpack(int archive, const char *folder, const struct unpack_limits *limits,
                     struct unpack_used *used, struct error *said)
{
    const unsigned spent = used->cpu_seconds;
    const struct isolation_config config = {
        .kind = ISOLATION_COMPILER,
        .command = "/proc/self/exe",
        .writable = folder,
        .folder = folder,
        .trusted = true,
        .limits = {.cpu_seconds = spent < limits->cpu_seconds ? limits->cpu_seconds - spent : 1,
                   .memory = (size_t)MEMORY_GIB << 30,
                   .file_size = limits->bytes,
                   .files = 64}};
    struct isolation *walls = isolation_prepare(&config, said);
    if (!walls)
        return UNPACK_FAILED;
    struct unpacking u = {.input = archive,
                          .list = -1,
                          .limits = limits,
                          .walls = walls,
                          .before = used->bytes,
                          .answer = {.used = *used}};
    struct helper_process *helper = NULL;
    u.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum unpacked how = UNPACK_FAILED;
    if (u.folder < 0) {
        error_set(said, "cannot be unpacked: %s: %s", folder, strerror(errno));
    } else if ((helper = helper_process_start(work, &u, said))) {
        struct answer answer;
        const bool answered = helper_process_read(helper, &answer, sizeof answer);
        const int status = helper_process_end(helper);
        if (answered) {
            how = answer.how;
            *used = answer.used;
            make_clean(answer.text, said);
        } else if (is_own_limit(status, limits)) {
            how = UNPACK_REFUSED;
            used->cpu_seconds = limits->cpu_seconds;
            error_set(said, "cannot be unpacked: it made the unpacking take too long");
        } else {
            error_set(said, "cannot be unpacked: the unpacking was ended by %s%s",
                      WIFSIGNALED(status) ? "signal " : "the system",
                      WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "");
        }
    }
    if (u.folder >= 0)
        close(u.folder);
    isolation_free(walls);
    return how;
}

char *unpack_take_left_out(const char *folder, size_t *size)
{
    struct error ignored;
    char *path = textfile_join(folder, list_name);
    char *list = path ? textfile_read(path, MOST_LIST, size, &ignored) : NULL;
    if (path)
        unlink(path);
    free(path);
    return list;
}
