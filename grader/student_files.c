/* The student's files: the stub back, and the reference to read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/record.h"
#include "grader/reports/clean.h"
#include "grader/student.h"
#include "grader/textfile.h"

enum { MAX_BYTES = 1 << 20, MAX_DEPTH = 3, MAX_BACKUPS = 1000 };

/* ---- the files below a folder, sorted, by names relative to it ---- */

struct names {
    char **items;
    size_t count;
};

static bool append(struct names *names, char *name)
{
    char **more = name ? realloc(names->items, (names->count + 1) * sizeof *more) : NULL;
    if (!more) {
        free(name);
        return false;
    }
    names->items = more;
    names->items[names->count++] = name;
    return true;
}

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct names){NULL, 0};
}

static bool is_source(const char *name)
{
    const char *ending = strrchr(name, '.');
    return *name != '.' && ending &&
           (strcmp(ending, ".c") == 0 || strcmp(ending, ".S") == 0 || strcmp(ending, ".h") == 0);
}

static bool walk(const char *folder, const char *below, int depth, struct names *names, struct error *err)
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
            ok = append(names, name) || error_set(err, "out of memory");
        } else {
            free(name);
        }
    }
    if (dir)
        closedir(dir);
    free(path);
    return ok;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_files(const char *folder, struct names *names, struct error *err)
{
    *names = (struct names){NULL, 0};
    bool ok = walk(folder, "", 0, names, err);
    if (ok && names->count == 0)
        ok = error_set(err, "%s: expected source files, found none", folder);
    if (!ok)
        free_names(names);
    else if (names->items)
        qsort(names->items, names->count, sizeof *names->items, compare);
    return ok;
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
    char *now = textfile_read(path, MAX_BYTES, &there, &ignored);
    bool same = now && there == size && memcmp(now, text, size) == 0;
    free(now);
    return same;
}

/* Put one file back. *changed tells whether there was anything to do. */
static bool restore(const char *from, const char *to, FILE *out, bool *changed, struct error *err)
{
    size_t size = 0;
    struct stat info;
    char *text = textfile_read(from, MAX_BYTES, &size, err);
    if (!text)
        return false;
    bool ok = true;
    if (!equals(to, text, size)) {
        char *backup = NULL;
        bool there = lstat(to, &info) == 0;
        if (there && S_ISDIR(info.st_mode)) {
            ok = error_set(err, "%s: expected a file, found a folder: move it away first", to);
        } else {
            if (there)
                ok = (backup = keep_backup(to, err)) != NULL;
            ok = ok && textfile_replace(to, text, size, err);
        }
        if (ok && backup)
            fprintf(out, "%s is the original again; yours is %s\n", to, backup);
        else if (ok)
            fprintf(out, "%s was missing and is back\n", to);
        free(backup);
        *changed = true;
    }
    free(text);
    return ok;
}

/* The folder that holds `path` may have gone with its files. */
static bool make_parent(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    bool ok = folder ? textfile_make_folder(folder, err) : error_set(err, "out of memory");
    free(folder);
    return ok;
}

int student_reset(const char *root, const char *state, const struct exercise *exercise, FILE *out,
                  struct error *err)
{
    (void)root;
    (void)state;
    struct names names = {NULL, 0};
    char *original = textfile_join(exercise->folder, "original");
    bool ok = original && list_files(original, &names, err), changed = false;
    for (size_t i = 0; ok && i < names.count; i++) {
        char *from = textfile_join(original, names.items[i]);
        char *to = textfile_join(exercise->folder, names.items[i]);
        ok = from && to ? make_parent(to, err) && restore(from, to, out, &changed, err)
                        : error_set(err, "out of memory");
        free(from);
        free(to);
    }
    if (ok && !changed)
        fprintf(out, "Nothing to do: the files of exercise %u are the originals.\n", exercise->number);
    free_names(&names);
    free(original);
    return ok ? 0 : 4;
}

/* ---- solution ---- */

static bool may_see(const char *root, const char *state, const struct exercise *exercise)
{
    struct record record;
    struct error ignored;
    char *folder = record_folder(root, state);
    bool passed = folder && record_read(folder, exercise->id, &record, &ignored) && record.passed;
    free(folder);
    return passed;
}

static bool print_file(const char *folder, const char *name, FILE *out, struct error *err)
{
    char *path = textfile_join(folder, name);
    char *text = path ? textfile_read(path, MAX_BYTES, NULL, err) : NULL;
    if (text) {
        fprintf(out, "==== %s ====\n", path);
        clean_print(out, text, "", SIZE_MAX, SIZE_MAX);
        fputc('\n', out);
    }
    free(path);
    free(text);
    return text != NULL;
}

int student_solution(const char *root, const char *state, const struct exercise *exercise, bool force,
                     FILE *out, struct error *err)
{
    if (!force && !may_see(root, state, exercise)) {
        fprintf(out,
                "The solution of exercise %u opens after your first pass (make check EX=%u).\n"
                "A hint may be what you need: make hint EX=%u\n"
                "To see it all the same: make solution EX=%u FORCE=1\n",
                exercise->number, exercise->number, exercise->number, exercise->number);
        return 1;
    }
    struct names names = {NULL, 0};
    bool ok = list_files(exercise->solution, &names, err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = print_file(exercise->solution, names.items[i], out, err);
    free_names(&names);
    return ok ? 0 : 4;
}
