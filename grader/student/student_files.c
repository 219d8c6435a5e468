/* The student's files: the stub back, and the reference to read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/student/record.h"
#include "grader/reports/clean.h"
#include "grader/student/student.h"
#include "grader/student/student_files.h"
#include "grader/student/work.h"
#include "grader/exercise/stubs.h"
#include "grader/base/textfile.h"

enum { MAX_DEPTH = 3, MAX_BACKUPS = 1000 };

/* ---- the files below a folder, sorted, by names relative to it ---- */

static bool is_source(const char *name)
{
    const char *ending = strrchr(name, '.');
    return *name != '.' && ending &&
           (strcmp(ending, ".c") == 0 || strcmp(ending, ".S") == 0 || strcmp(ending, ".h") == 0);
}

static bool walk(const char *folder, const char *below, int depth, struct strings *names, struct error *err)
{
    char *path = textfile_join(folder, below);
    DIR *dir = path ? opendir(path) : NULL;
    bool ok = dir != NULL;
    if (!ok)
        error_set(err, "%s: cannot be read: %s", path ? path : folder, strerror(errno));
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        struct stat info;
        if (*entry->d_name == '.' || fstatat(dirfd(dir), entry->d_name, &info, 0) != 0)
            continue;
        char *name = textfile_join(below, entry->d_name);
        if (S_ISDIR(info.st_mode) && name && depth < MAX_DEPTH) {
            ok = walk(folder, name, depth + 1, names, err);
            free(name);
        } else if (S_ISREG(info.st_mode) && is_source(entry->d_name)) {
            strings_add(names, "%s", name ? name : "");
            ok = (name && !names->failed) || error_set(err, "out of memory");
            free(name);
        } else {
            free(name);
        }
    }
    if (dir)
        closedir(dir);
    free(path);
    return ok;
}

bool student_list_files(const char *folder, struct strings *names, struct error *err)
{
    *names = (struct strings){0};
    bool ok = walk(folder, "", 0, names, err);
    if (ok && names->count == 0)
        ok = error_set(err, "%s: expected source files, found none", folder);
    if (ok)
        strings_sort(names);
    else
        strings_free(names);
    return ok;
}

bool student_make_parent(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    bool ok = folder ? textfile_make_folder(folder, err) : error_set(err, "out of memory");
    free(folder);
    return ok;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void student_remove_folder(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- reset ---- */

/* A second name for what is at `path`, so that nothing is lost whatever happens next: NAME.bak, NAME.bak.2,
 * ... */
static char *keep_backup(const char *path, struct error *err)
{
    for (unsigned i = 1; i <= MAX_BACKUPS; i++) {
        char *backup = NULL;
        if ((i == 1 ? asprintf(&backup, "%s.bak", path) : asprintf(&backup, "%s.bak.%u", path, i)) < 0) {
            error_set(err, "out of memory");
            return NULL;
        }
        if (link(path, backup) == 0)
            return backup;
        int why = errno;
        struct stat info;
        /* File systems without links: move it, which leaves a moment without the file but loses nothing. */
        if ((why == EPERM || why == EOPNOTSUPP || why == ENOSYS) && lstat(backup, &info) != 0 &&
            rename(path, backup) == 0)
            return backup;
        free(backup);
        if (why != EEXIST) {
            error_set(err, "%s: no backup can be made: %s; it stays as it is", path, strerror(why));
            return NULL;
        }
    }
    error_set(err, "%s: there are %d backups of it already: remove some", path, MAX_BACKUPS);
    return NULL;
}

static bool equals(const char *path, const char *text, size_t size)
{
    struct error ignored;
    size_t there = 0;
    char *now = textfile_read(path, STUB_LIMIT, &there, &ignored);
    bool same = now && there == size && memcmp(now, text, size) == 0;
    free(now);
    return same;
}

/* Put one text back. An edited file is kept, a stub of an earlier version is not. *changed tells whether
 * there was anything to do. */
static bool restore(const struct exercise *exercise, const char *to, const char *text, size_t size, FILE *out,
                    bool *changed, struct error *err)
{
    struct stat info;
    if (equals(to, text, size))
        return true;
    bool there = lstat(to, &info) == 0;
    bool edited = there && (!S_ISREG(info.st_mode) || !stub_is_file(exercise, to));
    if (there && S_ISDIR(info.st_mode))
        return error_set(err, "%s: expected a file, found a folder: move it away first", to);
    char *backup = edited ? keep_backup(to, err) : NULL;
    bool ok = (!edited || backup) && student_make_parent(to, err) && textfile_replace(to, text, size, err);
    if (ok && backup)
        fprintf(out, "%s is the stub again; yours is %s\n", to, backup);
    else if (ok)
        fprintf(out,
                there ? "%s was the stub of another version and is this one's\n"
                      : "%s was missing and is back\n",
                to);
    free(backup);
    *changed = true;
    return ok;
}

static bool restore_stub(const struct exercise *exercise, const char *folder, const char *name, FILE *out,
                         bool *changed, struct error *err)
{
    size_t size = 0;
    char *to = textfile_join(folder, name), *text = to ? stub_read(exercise, name, &size, err) : NULL;
    bool ok = to || error_set(err, "out of memory");
    ok = ok && text && restore(exercise, to, text, size, out, changed, err);
    free(text);
    free(to);
    return ok;
}

static bool is_among(const struct strings *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->item[i], name) == 0)
            return true;
    return false;
}

/* A file of a name that the stub does not have, and that would count: a backup is all that stays of it. */
static bool put_aside(const struct exercise *exercise, const char *folder, const struct strings *names,
                      FILE *out, bool *changed, struct error *err)
{
    char *name;
    bool ok = true;
    for (unsigned i = 0; ok && (name = work_name(exercise, i)); i++) {
        struct stat info;
        char *path = is_among(names, name) ? NULL : textfile_join(folder, name);
        if (path && lstat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
            char *backup = keep_backup(path, err);
            ok = backup && (unlink(path) == 0 || errno == ENOENT ||
                            error_set(err, "%s: cannot be removed: %s", path, strerror(errno)));
            if (ok)
                fprintf(out, "%s is no file of the stub; yours is %s\n", path, backup);
            *changed = true;
            free(backup);
        }
        free(path);
        free(name);
    }
    return ok;
}

/* It is made, and no one's work: only where it is missing it comes back. */
static bool restore_flags(const char *root, const char *work, const struct exercise *exercise,
                          const char *folder, FILE *out, bool *changed, struct error *err)
{
    struct stat info;
    char *to = textfile_join(folder, "compile_flags.txt");
    bool ok = to || error_set(err, "out of memory");
    if (to && lstat(to, &info) != 0) {
        char *flags = work_compile_flags(work, exercise, root, err);
        ok = flags && restore(exercise, to, flags, strlen(flags), out, changed, err);
        free(flags);
    }
    free(to);
    return ok;
}

int student_reset(const char *root, const char *work, const struct exercise *exercise, FILE *out,
                  struct error *err)
{
    struct strings names = {0};
    if (!work_begun(work, exercise->id)) {
        fprintf(out, "Exercise %u is not begun: make begin EX=%u\n", exercise->number, exercise->number);
        return 1;
    }
    char *stub = stub_folder(exercise), *folder = work_folder(work, exercise->id);
    bool changed = false;
    bool ok = stub && folder ? student_list_files(stub, &names, err) : error_set(err, "out of memory");
    for (size_t i = 0; ok && i < names.count; i++)
        ok = restore_stub(exercise, folder, names.item[i], out, &changed, err);
    ok = ok && put_aside(exercise, folder, &names, out, &changed, err) &&
         restore_flags(root, work, exercise, folder, out, &changed, err);
    if (ok && !changed)
        fprintf(out, "Nothing to do: the files in %s are the stub's.\n", folder);
    strings_free(&names);
    free(folder);
    free(stub);
    return ok ? 0 : 4;
}

/* ---- solution ---- */

static bool may_see(const char *work, const struct exercise *exercise)
{
    struct record record;
    struct error ignored;
    char *folder = record_folder(work);
    bool passed = folder && record_read(folder, exercise->id, &record, &ignored) && record.passed;
    free(folder);
    return passed;
}

static bool print_file(const char *folder, const char *name, FILE *out, struct error *err)
{
    char *path = textfile_join(folder, name);
    char *text = path ? textfile_read(path, STUB_LIMIT, NULL, err) : NULL;
    if (text) {
        fprintf(out, "==== %s ====\n", path);
        clean_print(out, text, "", SIZE_MAX, SIZE_MAX);
        fputc('\n', out);
    }
    free(path);
    free(text);
    return text != NULL;
}

int student_solution(const char *work, const struct exercise *exercise, bool force, FILE *out,
                     struct error *err)
{
    if (!force && !may_see(work, exercise)) {
        fprintf(out,
                "The solution of exercise %u opens after your first pass (make check EX=%u).\n"
                "A hint may be what you need: make hint EX=%u\n"
                "To see it all the same: make solution EX=%u FORCE=1\n",
                exercise->number, exercise->number, exercise->number, exercise->number);
        return 1;
    }
    struct strings names = {0};
    bool ok = student_list_files(exercise->solution, &names, err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = print_file(exercise->solution, names.item[i], out, err);
    strings_free(&names);
    return ok ? 0 : 4;
}
