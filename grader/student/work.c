#include "grader/student/work.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/base/isa.h"
#include "grader/base/textfile.h"
#include "grader/exercise/stubs.h"
#include "grader/student/student_files.h"

char *work_folder(const char *work, const char *id)
{
    return textfile_join(work, id);
}

static bool has_entries(const char *path)
{
    DIR *folder = opendir(path);
    bool any = false;
    for (const struct dirent *entry; folder && !any && (entry = readdir(folder));)
        any = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder)
        closedir(folder);
    return any;
}

bool work_begun(const char *work, const char *id)
{
    char *folder = work_folder(work, id);
    bool begun = folder && has_entries(folder);
    free(folder);
    return begun;
}

/* ---- compile_flags.txt ---- */

/* From WORK/NN-slug to the suite: "../.." and so on where it holds WORK, else its own path. */
static char *way_to_suite(const char *work, const char *root)
{
    char *from = realpath(work, NULL), *to = realpath(root, NULL), *way = NULL;
    size_t length = to ? strlen(to) : 0;
    if (from && to && length > 1 && strncmp(from, to, length) == 0 && from[length] == '/') {
        way = strdup("..");
        for (const char *c = from + length; way && *c; c++) {
            char *longer = *c == '/' ? textfile_join(way, "..") : NULL;
            if (!longer && *c == '/') {
                free(way);
                way = NULL;
            } else if (longer) {
                free(way);
                way = longer;
            }
        }
    } else if (from && to) {
        way = strdup(to);
    }
    free(from);
    free(to);
    return way;
}

char *work_compile_flags(const char *work, const struct exercise *exercise, const char *root,
                         struct error *err)
{
    char *way = way_to_suite(work, root), *text = NULL;
    if (!way || asprintf(&text,
                         "-std=c17\n-ffreestanding\n-Wall\n-Wextra\n-Wno-unused-parameter\n"
                         "-I%s/exercises/%s\n-I%s/exercises/%s/%s\n",
                         way, exercise->id, way, exercise->id, isa_name(isa_native())) < 0) {
        text = NULL;
        error_set(err, "cannot tell the way from %s to %s: %s", work, root, strerror(errno));
    }
    free(way);
    return text;
}

/* ---- begin ---- */

static bool copy_one(const struct exercise *exercise, const char *name, const char *folder, struct error *err)
{
    size_t size = 0;
    char *to = textfile_join(folder, name);
    char *text = to ? stub_read(exercise, name, &size, err) : NULL;
    bool good = to || error_set(err, "out of memory");
    good = good && text && student_make_parent(to, err) && textfile_replace(to, text, size, err);
    if (good && !stub_is_text(exercise, text, size))
        good = error_set(err,
                         "%s/stub/%s: expected a stub whose hash is in stub.sha256, found another; "
                         "`ci/stubs.sh` adds it",
                         exercise->folder, name);
    free(text);
    free(to);
    return good;
}

static bool copy_stub(const char *root, const char *work, const struct exercise *exercise, const char *folder,
                      struct error *err)
{
    struct strings names = {0};
    char *stub = stub_folder(exercise), *to = textfile_join(folder, "compile_flags.txt");
    bool good = stub && to ? student_list_files(stub, &names, err) : error_set(err, "out of memory");
    for (size_t i = 0; good && i < names.count; i++)
        good = copy_one(exercise, names.item[i], folder, err);
    char *flags = good ? work_compile_flags(work, exercise, root, err) : NULL;
    good = good && flags && textfile_replace(to, flags, strlen(flags), err);
    free(flags);
    strings_free(&names);
    free(stub);
    free(to);
    return good;
}

/* A new folder in .state, which is on the same file system. malloc'ed; NULL with err. */
static char *make_beside(const char *work, struct error *err)
{
    struct error why;
    char *state = textfile_join(work, ".state"),
         *beside = state ? textfile_join(state, "begin-XXXXXX") : NULL;
    bool made = false;
    if (!beside)
        error_set(err, "out of memory");
    else if (!textfile_make_folder(state, &why))
        error_set(err, "%.600s; say WORK=dir to work in a folder of yours", why.text);
    else if (!mkdtemp(beside))
        error_set(err, "%s: no folder can be created there: %s; say WORK=dir to work in a folder of yours",
                  state, strerror(errno));
    else
        made = true;
    free(state);
    if (made)
        return beside;
    free(beside);
    return NULL;
}

/* Everything is copied beside, and renamed then. */
static enum begun begin(const char *root, const char *work, const struct exercise *exercise, const char *to,
                        struct error *err)
{
    enum begun begun = BEGUN_FAILED;
    char *beside = make_beside(work, err);
    mode_t mask = umask(0);
    umask(mask);
    if (beside && copy_stub(root, work, exercise, beside, err)) {
        if (chmod(beside, 0777 & ~mask) == 0 && rename(beside, to) == 0)
            begun = BEGUN_NOW;
        else if (has_entries(to)) /* another one was faster */
            begun = BEGUN_BEFORE;
        else
            error_set(err, "%s: cannot be created: %s", to, strerror(errno));
    }
    if (beside && begun != BEGUN_NOW)
        student_remove_folder(beside);
    free(beside);
    return begun;
}

static void write_where_missing(const char *folder, const char *name, const char *text)
{
    struct stat info;
    struct error ignored;
    char *path = textfile_join(folder, name);
    if (path && text && lstat(path, &info) != 0 && errno == ENOENT)
        (void)textfile_replace(path, text, strlen(text), &ignored);
    free(path);
}

/* A WORK that lies elsewhere may be in a repository of its own, a course's or the student's. What the suite
 * makes there leads to the suite on this machine, or is remembered of one person: it is ignored in that
 * repository, and made again where it is missing. Nobody needs it to go on. */
static void complete(const char *root, const char *work, const struct exercise *exercise, const char *folder)
{
    struct error ignored;
    char *way = way_to_suite(work, root), *flags = work_compile_flags(work, exercise, root, &ignored);
    write_where_missing(folder, "compile_flags.txt", flags);
    if (way && way[0] == '/')
        write_where_missing(work, ".gitignore",
                            "# made by cyclelab, for one person and machine\n/.state/\ncompile_flags.txt\n");
    free(flags);
    free(way);
}

enum begun work_begin(const char *root, const char *work, const struct exercise *exercise, struct error *err)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t held, before;
    enum begun begun = BEGUN_BEFORE;
    char *to = work_folder(work, exercise->id);
    if (!to) {
        error_set(err, "out of memory");
        return BEGUN_FAILED;
    }
    if (!has_entries(to)) {
        sigemptyset(&held);
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            sigaddset(&held, ends[i]);
        sigprocmask(SIG_BLOCK, &held, &before);
        begun = begin(root, work, exercise, to, err);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    if (begun != BEGUN_FAILED)
        complete(root, work, exercise, to);
    free(to);
    return begun;
}

/* ---- old habits ---- */

char *work_name(const struct exercise *exercise, unsigned index)
{
    char *name = NULL;
    unsigned forms = 2 * ISA_COUNT + 1, form = index % forms;
    int length = -1;
    if (index / forms >= exercise->sources_count)
        return NULL;
    const char *stem = exercise->sources[index / forms];
    if (form == forms - 1)
        length = asprintf(&name, "%s.c", stem);
    else
        length = asprintf(&name, "%s/%s.%s", isa_name((enum isa)(form / 2)), stem, form % 2 ? "c" : "S");
    return length < 0 ? NULL : name;
}

void work_note_misplaced(const char *work, const struct exercise *exercise, FILE *out)
{
    char *name;
    for (unsigned i = 0; (name = work_name(exercise, i)); i++) {
        struct stat info;
        char *path = textfile_join(exercise->folder, name), *to = work_folder(work, exercise->id);
        bool misplaced = path && to && lstat(path, &info) == 0 && !stub_is_file(exercise, path);
        if (misplaced)
            fprintf(out, "note: %s does not count: move your files from %s/ to %s/\n", path, exercise->folder,
                    to);
        free(path);
        free(to);
        free(name);
        if (misplaced)
            break;
    }
}
