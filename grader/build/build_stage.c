/* Copying what a variant is made of into the work folder. */
#include "grader/build/build_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/base/textfile.h"
#include "harness/walls/privileges.h"

enum { RUNNER_LIMIT = 16 << 20 };

/* Everything is created new and below a descriptor, so nothing that a hostile process put into the work
 * folder is followed or overwritten. Modes are set, since a umask may hide the files from the unprivileged
 * user. */
struct copying {
    int folder;
    const char *path; /* the same, for messages */
    struct error *err;
};

static bool cannot_write(const struct copying *to, const char *name)
{
    if (errno == ENOSPC || errno == EDQUOT)
        return error_set(to->err, "cannot write %s/%s: no space left; make room there, or set TMPDIR",
                         to->path, name);
    return error_set(to->err, "cannot write %s/%s: %s", to->path, name, strerror(errno));
}

static bool make_folder(const struct copying *to, const char *name)
{
    if ((mkdirat(to->folder, name, 0755) == 0 || errno == EEXIST) && fchmodat(to->folder, name, 0755, 0) == 0)
        return true;
    return cannot_write(to, name);
}

static bool write_file(const struct copying *to, const char *name, const char *data, size_t size)
{
    int fd = openat(to->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return cannot_write(to, name);
    if (!textfile_write(fd, data, size)) {
        cannot_write(to, name);
        close(fd);
        return false;
    }
    if (fchmod(fd, 0644) == 0 && close(fd) == 0)
        return true;
    return cannot_write(to, name);
}

static bool copy_file(const struct copying *to, const char *from, const char *name, size_t most)
{
    size_t size = 0;
    char *data = textfile_read(from, most, &size, to->err);
    bool done = data && write_file(to, name, data, size);
    free(data);
    return done;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* The headers of one folder. */
static bool copy_headers_of(const struct copying *to, const char *folder_path)
{
    char from[4096], name[300];
    DIR *folder = opendir(folder_path);
    if (!folder)
        return errno == ENOENT || error_set(to->err, "cannot read %s: %s", folder_path, strerror(errno));
    const struct dirent *entry;
    bool good = true;
    while (good && (entry = readdir(folder))) {
        if (!ends_with(entry->d_name, ".h"))
            continue;
        snprintf(from, sizeof from, "%s/%s", folder_path, entry->d_name);
        snprintf(name, sizeof name, "include/%s", entry->d_name);
        good = copy_file(to, from, name, SOURCE_LIMIT);
    }
    closedir(folder);
    return good;
}

/* The exercise's own, those for this ISA, and the glue's. */
static bool copy_headers(const struct copying *to, const char *root, const struct exercise *exercise,
                         enum isa isa)
{
    char path[4096];
    if (!make_folder(to, "include") || !make_folder(to, "include/harness") ||
        !make_folder(to, "include/harness/runner") || !copy_headers_of(to, exercise->folder))
        return false;
    snprintf(path, sizeof path, "%s/%s", exercise->folder, isa_name(isa));
    if (!copy_headers_of(to, path))
        return false;
    snprintf(path, sizeof path, "%s/harness/runner/glue.h", root);
    return copy_file(to, path, "include/harness/runner/glue.h", SOURCE_LIMIT);
}

static bool in_isa_folder(const char *path, enum isa isa)
{
    char tail[300];
    snprintf(tail, sizeof tail, "/%s/%s", isa_name(isa), textfile_base_name(path));
    return ends_with(path, tail);
}

static bool unit_fill(struct unit *unit, const char *origin, enum isa isa, size_t index)
{
    const char *base = textfile_base_name(origin);
    int stem = (int)strcspn(base, ".");
    unit->origin = strdup(origin);
    if (asprintf(&unit->staged, "%s%s%s", in_isa_folder(origin, isa) ? isa_name(isa) : "",
                 in_isa_folder(origin, isa) ? "/" : "", base) < 0)
        unit->staged = NULL;
    if (asprintf(&unit->object, "%zu-%.*s.o", index, stem, base) < 0)
        unit->object = NULL;
    return unit->origin && unit->staged && unit->object;
}

/* Is the source a link to what lies outside of the folder that was handed in? The compiler would quote it. */
static bool leads_out(const char *origin, enum isa isa)
{
    char *folder = strdup(origin), *from = realpath(origin, NULL), *within = NULL;
    for (int up = in_isa_folder(origin, isa) ? 2 : 1; folder && up > 0; up--) {
        char *slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
        else
            memcpy(folder, ".", sizeof ".");
    }
    if (folder)
        within = realpath(*folder ? folder : "/", NULL);
    size_t length = within ? strlen(within) : 0;
    /* what cannot be resolved cannot be read either */
    bool out = from && within && length > 1 && (strncmp(from, within, length) != 0 || from[length] != '/');
    free(folder);
    free(from);
    free(within);
    return out;
}

static bool copy_sources(struct stage *stage, const struct copying *to, enum isa isa, char *const *sources,
                         unsigned count, enum build_outcome *outcome)
{
    char name[400];
    snprintf(name, sizeof name, "%s/%s", stage->sources, isa_name(isa));
    if (!make_folder(to, stage->sources) || !make_folder(to, name))
        return false;
    stage->units = calloc(count + 1U, sizeof *stage->units);
    if (!stage->units)
        return error_set(to->err, "out of memory");
    for (unsigned i = 0; i < count; i++) {
        struct unit *unit = &stage->units[stage->count++];
        if (!unit_fill(unit, sources[i], isa, i))
            return error_set(to->err, "out of memory");
        if (strcmp(stage->sources, "student") == 0 && leads_out(sources[i], isa)) {
            *outcome = BUILD_REJECTED;
            return error_set(to->err, "%s is a link that leads out of its folder: put the file itself there",
                             sources[i]);
        }
        size_t size = 0;
        errno = 0;
        char *data = textfile_read(sources[i], SOURCE_LIMIT, &size, to->err);
        if (!data) {
            bool odd = errno == EISDIR || errno == EINVAL || errno == EFBIG || errno == ELOOP ||
                       errno == ENOENT || errno == ENXIO;
            if (odd && strcmp(stage->sources, "student") == 0)
                *outcome = BUILD_REJECTED;
            return false;
        }
        snprintf(name, sizeof name, "%s/%s", stage->sources, unit->staged);
        bool written = write_file(to, name, data, size);
        free(data);
        if (!written)
            return false;
    }
    return true;
}

static bool make_output(const struct copying *to)
{
    uid_t uid;
    gid_t gid;
    if (!make_folder(to, "out"))
        return false;
    unprivileged_user(&uid, &gid);
    if (geteuid() != 0 || fchownat(to->folder, "out", uid, gid, AT_SYMLINK_NOFOLLOW) == 0)
        return true;
    return cannot_write(to, "out");
}

static bool copy_object(const struct copying *to, enum isa isa, const char *name)
{
    char *object = runner_object(isa, name);
    if (!object)
        return error_set(to->err, "cannot tell where this program lies: %s", strerror(errno));
    bool good = access(object, F_OK) == 0 ||
                error_set(to->err, "expected %s for %s at %s: %s; build it with `make runners`", name,
                          isa_name(isa), object, strerror(errno));
    good = good && copy_file(to, object, name, RUNNER_LIMIT);
    free(object);
    return good;
}

bool stage_copy_object(const struct stage *stage, enum isa isa, const char *name, struct error *err)
{
    int fd = open(stage->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return error_set(err, "cannot open %s: %s", stage->folder, strerror(errno));
    const struct copying to = {fd, stage->folder, err};
    bool good = copy_object(&to, isa, name);
    close(fd);
    return good;
}

static bool make_file(const struct copying *to, const char *name, const char *text)
{
    return write_file(to, name, text, strlen(text));
}

/* The attribute and the pragma `optimize` would have the compiler do what the exercise's flags leave to the
 * student. And since -ffreestanding makes a call of every memcpy, also of one that is how C loads what has no
 * alignment, the four functions of harness/runner/target/memory.c are the compiler's own where they are
 * called by name: of a few bytes an instruction or two. They define nothing, and code without them stays as
 * it is. */
#define OWN  "extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __artificial__))\n"
#define LINE "; } /* another one needs another name */\n"
static const char first[] =
    "#pragma GCC poison optimize __optimize__\n" OWN
    "void *memcpy(void *__restrict__ to, const void *__restrict__ from, __SIZE_TYPE__ n) "
    "{ return __builtin_memcpy(to, from, n)" LINE OWN
    "void *memmove(void *to, const void *from, __SIZE_TYPE__ n) { return __builtin_memmove(to, from, n)" LINE
        OWN
    "void *memset(void *to, int byte, __SIZE_TYPE__ n) { return __builtin_memset(to, byte, n)" LINE OWN
    "int memcmp(const void *a, const void *b, __SIZE_TYPE__ n) { return __builtin_memcmp(a, b, n)" LINE;
#undef LINE
#undef OWN

/* The linker gives PLACE. Linkers lay .text.unlikely first, then .text.hot and its like, and .text behind
 * them: what moves the former must not make up, line by line, for what moves the latter. */
static const char place_first[] = "        .section .text.unlikely, \"ax\", %progbits\n        .skip PLACE\n"
                                  "        .text\n        .p2align 6\n"
                                  "        .section .note.GNU-stack, \"\", %progbits\n";

/* Its own alignment is 1: what follows lies where its own one allows. */
static const char place[] = "        .text\n        .skip PLACE\n"
                            "        .section .note.GNU-stack, \"\", %progbits\n";

bool stage_seal(const struct stage *stage, const char *program, struct error *err)
{
    struct stat info;
    if (lstat(program, &info) != 0 || !S_ISREG(info.st_mode))
        return error_set(err, "the linker left no program at %s", program);
    if (geteuid() != 0)
        return true;
    char *out = NULL;
    bool good = asprintf(&out, "%s/out", stage->folder) >= 0 && lchown(out, 0, 0) == 0 &&
                lchown(program, 0, 0) == 0 && lstat(program, &info) == 0 && S_ISREG(info.st_mode) &&
                chmod(program, 0755) == 0;
    if (!good)
        error_set(err, "cannot take over %s: %s", program, strerror(errno));
    free(out);
    return good;
}

bool stage_fill(struct stage *stage, const struct workdir *workdir, const char *root,
                const struct exercise *exercise, enum variant variant, enum isa isa, char *const *sources,
                unsigned count, enum build_outcome *outcome, struct error *err)
{
    static unsigned serial;
    char glue[4096];
    *outcome = BUILD_ERROR;
    *stage = (struct stage){.sources = variant == VARIANT_STUDENT ? "student" : "trusted"};
    if (asprintf(&stage->folder, "%s/%s-%s-%u", workdir_path(workdir), variant_name(variant), isa_name(isa),
                 ++serial) < 0) {
        stage->folder = NULL;
        return error_set(err, "out of memory");
    }
    if (mkdir(stage->folder, 0755) != 0)
        return error_set(err, "cannot create %s: %s", stage->folder, strerror(errno));
    int fd = open(stage->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fchmod(fd, 0755) != 0) {
        error_set(err, "cannot open %s: %s", stage->folder, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    const struct copying to = {fd, stage->folder, err};
    snprintf(glue, sizeof glue, "%s/glue.c", exercise->folder);
    bool good = copy_sources(stage, &to, isa, sources, count, outcome) &&
                copy_headers(&to, root, exercise, isa) && make_folder(&to, "glue") &&
                copy_file(&to, glue, "glue/glue.c", SOURCE_LIMIT) && copy_object(&to, isa, "runner.o") &&
                make_file(&to, "first.h", first) && make_file(&to, "place-first.s", place_first) &&
                make_file(&to, "place.s", place) && make_output(&to);
    close(fd);
    return good;
}

void stage_free(struct stage *stage)
{
    for (size_t i = 0; i < stage->count; i++) {
        free(stage->units[i].origin);
        free(stage->units[i].staged);
        free(stage->units[i].object);
    }
    free(stage->units);
    free(stage->folder);
    *stage = (struct stage){0};
}
