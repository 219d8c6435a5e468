#include "grader/grade_find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/build_internal.h"
#include "grader/reports/digest.h"
#include "grader/reports/clean.h"
#include "grader/textfile.h"

enum { MOST_WRAPPERS = 3, MOST_SHOWN = 5, MOST_NAME = 80, MOST_LISTED = 2000 };

struct finding_class {
    struct grade_class *class;
    int folder; /* of the submissions */
    enum isa isa;
    bool failed; /* out of memory */
};

/* ---- text ---- */

static void add_note(char **note, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_note(char **note, const char *format, ...)
{
    char *text, *whole;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    if (text && *note && asprintf(&whole, "%s; %s", *note, text) >= 0) {
        free(*note);
        free(text);
        *note = whole;
    } else if (!*note) {
        *note = text;
    } else {
        free(text);
    }
}

/* A name for people; good until the second call after. */
static const char *shown(const char *name)
{
    static char buffer[2][4 * MOST_NAME + 8];
    static unsigned next;
    struct digest_text text;
    char *clean = NULL;
    if (digest_open(&text)) {
        clean_print_line(text.out, name, MOST_NAME);
        clean = digest_close(&text);
    }
    next ^= 1;
    snprintf(buffer[next], sizeof buffer[0], "%s", clean ? clean : "?");
    free(clean);
    return buffer[next];
}

static char *join(const char *a, const char *b)
{
    char *path;
    return asprintf(&path, "%s%s%s", a, *a && *b ? "/" : "", b) < 0 ? NULL : path;
}

/* ---- one exercise of one student ---- */

/* The last one is no name of the exercise's: see take_flat. */
enum { FORMS = 5 };
static const char *const forms[FORMS + 1] = {"aarch64/%s.S", "aarch64/%s.c", "x86_64/%s.S",
                                             "x86_64/%s.c",  "%s.c",         "%s.S"};

static char *form_of(unsigned form, const char *stem)
{
    char *name = NULL;
    const char *at = strstr(forms[form], "%s");
    return asprintf(&name, "%.*s%s%s", (int)(at - forms[form]), forms[form], stem, at + 2) < 0 ? NULL : name;
}

static bool counts_for(unsigned form, enum isa isa)
{
    const char *name = isa_name(isa);
    return form == FORMS - 1 || strncmp(forms[form], name, strlen(name)) == 0;
}

static const char *why_refused(int why)
{
    switch (why) {
    case ELOOP:
        return "is a link: links are not followed";
    case EISDIR:
        return "is a folder, expected a file";
    case EFBIG:
        return "is larger than 1 MiB";
    default:
        return "is no regular file";
    }
}

static bool is_refusal(int why)
{
    return why == ELOOP || why == EISDIR || why == EFBIG || why == EINVAL;
}

static bool is_absent(int why)
{
    return why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG;
}

/* Could there be such a file? Only its name is asked for. */
static bool is_there(int folder, const char *path)
{
    int fd = grade_open(folder, path, SOURCE_LIMIT);
    if (fd >= 0)
        close(fd);
    return fd >= 0 || !is_absent(errno);
}

static void free_files(struct grade_entry *entry)
{
    for (size_t i = 0; i < entry->files_count; i++) {
        free(entry->files[i].name);
        free(entry->files[i].path);
    }
    free(entry->files);
    entry->files = NULL;
    entry->files_count = 0;
}

static bool add_file(struct grade_entry *entry, const char *name, const char *path, const char *data,
                     size_t size)
{
    struct grade_file *more = realloc(entry->files, (entry->files_count + 1) * sizeof *more);
    struct grade_hash hash = grade_hash_new();
    if (!more)
        return false;
    entry->files = more;
    struct grade_file *file = &entry->files[entry->files_count++];
    *file = (struct grade_file){.name = strdup(name), .path = path ? strdup(path) : NULL};
    grade_hash_bytes(&hash, data, size);
    grade_hash_text(&hash, file->hash);
    return file->name && (!path || file->path);
}

/* Take a file that may be there, under another name or (as NULL) its own. False: nothing more can come of
 * this entry. */
static bool take_file(struct finding_class *f, struct grade_entry *entry, const char *base, const char *file,
                      const char *as, bool *taken)
{
    size_t size;
    const char *name = as ? as : file;
    char *path = join(base, file);
    errno = ENOMEM;
    char *data = path ? grade_read(f->folder, path, SOURCE_LIMIT, &size) : NULL;
    int why = errno;
    bool good = true;
    if (data) {
        *taken = true;
        good = add_file(entry, name, path, data, size);
        f->failed = f->failed || !good;
    } else if (!is_absent(why)) {
        entry->found = is_refusal(why) ? FOUND_REFUSED : FOUND_UNREADABLE;
        add_note(&entry->note, "%s %s", name, is_refusal(why) ? why_refused(why) : strerror(why));
        good = false;
    }
    free(data);
    free(path);
    return good;
}

/* Services that keep no folders give aarch64/clamp.S as clamp.S: taken where nothing else is. */
static bool take_flat(struct finding_class *f, struct grade_entry *entry, const char *base, const char *stem,
                      bool *taken)
{
    char *file = form_of(FORMS, stem), *name = NULL, *path = file ? join(base, file) : NULL;
    bool good = path && asprintf(&name, "%s/%s", isa_name(f->isa), file) >= 0;
    if (good && *taken && is_there(f->folder, path))
        add_note(&entry->note, "%s is not used: it belongs into %s/", file, isa_name(f->isa));
    else if (good && !*taken)
        good = take_file(f, entry, base, file, name, taken);
    free(file);
    free(name);
    free(path);
    return good;
}

/* The stub's file in place of one that was not handed in. */
static bool take_original(struct finding_class *f, const struct exercise *exercise, const char *stem,
                          struct grade_entry *entry)
{
    struct error ignored;
    for (unsigned i = FORMS; i-- > 0;) {
        size_t size;
        char *name = form_of(i, stem), *path = NULL, *data = NULL;
        if (name && counts_for(i, f->isa) && asprintf(&path, "%s/original/%s", exercise->folder, name) >= 0)
            data = textfile_read(path, SOURCE_LIMIT, &size, &ignored);
        bool taken = data != NULL;
        if (taken && !add_file(entry, name, NULL, data, size))
            f->failed = true;
        if (taken)
            add_note(&entry->note, "%s was not handed in: the stub stands in for it", name);
        free(name);
        free(path);
        free(data);
        if (taken)
            return true;
    }
    add_note(&entry->note, "%s was not handed in, and there is no stub of it", stem);
    return false;
}

static void hash_entry(struct grade_entry *entry)
{
    struct grade_hash hash = grade_hash_new();
    for (size_t i = 0; i < entry->files_count; i++) {
        grade_hash_words(&hash, entry->files[i].name);
        grade_hash_words(&hash, entry->files[i].hash);
    }
    grade_hash_text(&hash, entry->hash);
}

static void take_entry(struct finding_class *f, const struct exercise *exercise, const char *base,
                       struct grade_entry *entry)
{
    entry->found = FOUND_FILES;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        bool any = false;
        for (unsigned j = 0; j < FORMS; j++) {
            char *name = form_of(j, exercise->sources[i]);
            bool taken = false;
            bool good = name && take_file(f, entry, base, name, NULL, &taken);
            any = any || (taken && counts_for(j, f->isa));
            free(name);
            if (!good)
                return;
        }
        if (!take_flat(f, entry, base, exercise->sources[i], &any))
            return;
        if (!any && !take_original(f, exercise, exercise->sources[i], entry)) {
            entry->found = FOUND_NOTHING;
            return;
        }
    }
    hash_entry(entry);
}

/* Is any file of the exercise in this folder? Stems that two exercises have say nothing where the folder does
 * not. */
static bool has_any(struct finding_class *f, const struct exercise *exercise, const char *base, bool direct,
                    char **note)
{
    const struct grade_class *class = f->class;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const struct exercise *other = NULL;
        for (size_t j = 0; direct && j < class->exercises_count; j++)
            for (unsigned k = 0; k < class->exercises[j]->sources_count; k++)
                if (class->exercises[j] != exercise &&
                    strcmp(class->exercises[j]->sources[k], exercise->sources[i]) == 0)
                    other = class->exercises[j];
        for (unsigned j = 0; j <= FORMS; j++) {
            char *name = form_of(j, exercise->sources[i]), *path = name ? join(base, name) : NULL;
            bool there = path && is_there(f->folder, path);
            if (there && other)
                add_note(note, "%s could be of %s or of %s: put it into the exercise's folder", name,
                         exercise->id, other->id);
            free(name);
            free(path);
            if (there)
                return !other;
        }
    }
    return false;
}

enum { BASES = 13 };

/* Where an exercise's files may lie below `top`; the last one is `top` itself. */
static void bases_of(const struct exercise *exercise, const char *top, char *bases[BASES])
{
    static const char *const prefixes[] = {"exercises", ""};
    char number[16], padded[16], ex[24];
    snprintf(number, sizeof number, "%u", exercise->number);
    snprintf(padded, sizeof padded, "%02u", exercise->number);
    snprintf(ex, sizeof ex, "ex%u", exercise->number);
    const char *const names[] = {exercise->id, exercise->slug, number, padded, ex};
    unsigned count = 0;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 5; j++) {
            char *inner = join(prefixes[i], names[j]);
            bool twice = j == 3 && strcmp(number, padded) == 0;
            bases[count++] = inner && !twice ? join(top, inner) : NULL;
            free(inner);
        }
    }
    bases[count++] = join(top, "");
    while (count < BASES)
        bases[count++] = NULL;
}

static mode_t kind_of(int folder, const char *path)
{
    struct stat info;
    return fstatat(folder, path, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_mode & S_IFMT : 0;
}

static void find_entry(struct finding_class *f, const struct exercise *exercise, const char *student,
                       const char *top, struct grade_entry *entry)
{
    char *bases[BASES];
    const char *used = NULL;
    size_t skip = strlen(student) + 1;
    bases_of(exercise, top, bases);
    for (unsigned i = 0; i < BASES; i++) {
        if (!bases[i])
            continue;
        bool direct = strcmp(bases[i], top) == 0;
        mode_t kind = direct ? S_IFDIR : kind_of(f->folder, bases[i]);
        if (kind == S_IFLNK) { /* told, or it would look as if there were nothing */
            add_note(&entry->note, "%s is a link: links are not followed", shown(bases[i] + skip));
            if (!used)
                entry->found = FOUND_REFUSED;
        }
        if (kind != S_IFDIR)
            continue;
        if (!has_any(f, exercise, bases[i], direct, &entry->note))
            continue;
        const char *name = strlen(bases[i]) > skip ? bases[i] + skip : ".";
        if (used) {
            add_note(&entry->note, "there are files in %s, too: those in %s count", shown(name), shown(used));
            continue;
        }
        entry->folder = strdup(name);
        take_entry(f, exercise, bases[i], entry);
        used = entry->folder ? entry->folder : ".";
    }
    for (unsigned i = 0; i < BASES; i++)
        free(bases[i]);
}

/* ---- one student ---- */

static bool is_noise(const char *name)
{
    return *name == '.' || strcmp(name, "__MACOSX") == 0;
}

struct listing {
    char *names[MOST_LISTED];
    size_t count;
    size_t folders; /* of them */
    char *folder;   /* the only one */
    int error;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct listing *list_folder(int parent, const char *path)
{
    struct listing *listing = calloc(1, sizeof *listing);
    if (!listing)
        return NULL;
    int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        listing->error = errno;
        if (fd >= 0)
            close(fd);
        return listing;
    }
    const struct dirent *entry;
    while (listing->count < MOST_LISTED && (entry = readdir(folder))) {
        struct stat info;
        if (is_noise(entry->d_name) || fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        char *name = strdup(entry->d_name);
        if (!name)
            break;
        listing->names[listing->count++] = name;
        if (S_ISDIR(info.st_mode)) {
            listing->folders++;
            listing->folder = name;
        }
    }
    closedir(folder);
    if (listing->count > 0)
        qsort(listing->names, listing->count, sizeof *listing->names, compare_names);
    return listing;
}

static void free_listing(struct listing *listing)
{
    for (size_t i = 0; listing && i < listing->count; i++)
        free(listing->names[i]);
    free(listing);
}

static bool find_at(struct finding_class *f, struct grade_student *student, const char *top)
{
    bool any = false;
    for (size_t i = 0; i < f->class->exercises_count; i++) {
        struct grade_entry *entry = &student->entries[i];
        find_entry(f, f->class->exercises[i], student->name, top, entry);
        any = any || entry->found != FOUND_NOTHING || entry->note;
    }
    return any;
}

/* Nothing of any exercise: what is there instead, for the one who has to find out why. */
static void say_what_is_there(struct grade_student *student, const struct listing *listing)
{
    if (listing->count == 0) {
        add_note(&student->note, "the folder is empty");
        return;
    }
    for (size_t i = 0; i < listing->count && i < MOST_SHOWN; i++)
        add_note(&student->note, "%s%s", i == 0 ? "nothing that belongs to an exercise; there is: " : "",
                 shown(listing->names[i]));
    if (listing->count > MOST_SHOWN)
        add_note(&student->note, "and %zu more%s", listing->count - MOST_SHOWN,
                 listing->count == MOST_LISTED ? " at least" : "");
}

static void mark_all(const struct finding_class *f, struct grade_student *student, enum grade_found found)
{
    for (size_t i = 0; i < f->class->exercises_count; i++)
        student->entries[i].found = found;
}

/* Below the student's folder, or below a single folder in it, as archives are often packed. */
static void find_student(struct finding_class *f, struct grade_student *student)
{
    char *top = strdup(student->name);
    for (unsigned depth = 0; top && depth <= MOST_WRAPPERS; depth++) {
        struct listing *listing = list_folder(f->folder, top);
        bool done = true;
        if (!listing) {
            f->failed = true;
        } else if (listing->error) {
            add_note(&student->note, "%s: cannot be read: %s", shown(top), strerror(listing->error));
            mark_all(f, student, FOUND_UNREADABLE);
        } else if (!find_at(f, student, top)) {
            done = listing->folders != 1 || depth == MOST_WRAPPERS;
            char *deeper = done ? NULL : join(top, listing->folder);
            if (done)
                say_what_is_there(student, listing);
            if (deeper) {
                free(top);
                top = deeper;
            }
            done = !deeper;
        }
        free_listing(listing);
        if (done)
            break;
    }
    free(top);
}

/* ---- the class ---- */

static struct grade_student *add_student(struct finding_class *f, const char *name)
{
    struct grade_class *class = f->class;
    struct grade_student *more = realloc(class->students, (class->students_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    class->students = more;
    struct grade_student *student = &class->students[class->students_count++];
    *student =
        (struct grade_student){.name = strdup(name),
                               .safe = grade_safe_name(name),
                               .entries = calloc(class->exercises_count + 1, sizeof *student->entries)};
    return student->name && student->safe && student->entries ? student : NULL;
}

static void add_ignored(struct finding_class *f, const char *name, const char *why)
{
    struct grade_class *class = f->class;
    char *text, **more = realloc(class->ignored, (class->ignored_count + 1) * sizeof *more);
    if (!more) {
        f->failed = true;
        return;
    }
    class->ignored = more;
    if (asprintf(&text, "%s: %s", shown(name), why) >= 0)
        class->ignored[class->ignored_count++] = text;
}

static void look_at(struct finding_class *f, const char *name)
{
    struct stat info;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return;
    if (fstatat(f->folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        add_ignored(f, name, strerror(errno));
    } else if (*name == '.') {
        add_ignored(f, name, "hidden; call it otherwise if it is a submission");
    } else if (S_ISDIR(info.st_mode) || S_ISLNK(info.st_mode)) {
        struct grade_student *student = add_student(f, name);
        f->failed = f->failed || !student;
        if (student && S_ISLNK(info.st_mode)) {
            add_note(&student->note, "the submission is a link: links are not followed");
            mark_all(f, student, FOUND_REFUSED);
        } else if (student) {
            find_student(f, student);
        }
    } else {
        add_ignored(f, name, "no folder, so no submission");
    }
}

static int compare_students(const void *a, const void *b)
{
    return strcmp(((const struct grade_student *)a)->name, ((const struct grade_student *)b)->name);
}

static bool find_all(struct finding_class *f, const char *folder, struct error *err)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return error_set(err, "SUBMISSIONS: %s: %s: expected a folder with one folder for each student",
                         folder, strerror(errno));
    struct grade_class *class = f->class;
    f->folder = dirfd(directory);
    const struct dirent *entry;
    while (!f->failed && (errno = 0, entry = readdir(directory)))
        look_at(f, entry->d_name);
    closedir(directory);
    if (f->failed)
        return error_set(err, "out of memory");
    if (class->students_count == 0)
        return error_set(err, "SUBMISSIONS: %s: expected one folder for each student, found none%s%s", folder,
                         class->ignored_count ? "; there is " : "",
                         class->ignored_count ? class->ignored[0] : "");
    qsort(class->students, class->students_count, sizeof *class->students, compare_students);
    if (class->ignored_count > 0)
        qsort(class->ignored, class->ignored_count, sizeof *class->ignored, compare_names);
    return true;
}

static bool find_one(struct finding_class *f, const char *folder, struct error *err)
{
    f->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0)
        return error_set(err, "%s: %s: expected the folder of a submission", folder, strerror(errno));
    struct grade_student *student = add_student(f, ".");
    if (student)
        find_student(f, student);
    close(f->folder);
    return (student && !f->failed) || error_set(err, "out of memory");
}

static struct grade_class *find(bool (*how)(struct finding_class *f, const char *folder, struct error *err),
                                const char *folder, const struct exercise *const *exercises, size_t count,
                                enum isa isa, struct error *err)
{
    struct grade_class *class = calloc(1, sizeof *class);
    if (!class) {
        error_set(err, "out of memory");
        return NULL;
    }
    class->exercises = exercises;
    class->exercises_count = count;
    struct finding_class finding = {.class = class, .isa = isa};
    if (how(&finding, folder, err))
        return class;
    grade_class_free(class);
    return NULL;
}

struct grade_class *grade_find(const char *folder, const struct exercise *const *exercises, size_t count,
                               enum isa isa, struct error *err)
{
    return find(find_all, folder, exercises, count, isa, err);
}

struct grade_class *grade_find_one(const char *folder, const struct exercise *const *exercises, size_t count,
                                   enum isa isa, struct error *err)
{
    return find(find_one, folder, exercises, count, isa, err);
}

void grade_class_free(struct grade_class *class)
{
    if (!class)
        return;
    for (size_t i = 0; i < class->students_count; i++) {
        struct grade_student *student = &class->students[i];
        for (size_t j = 0; student->entries && j < class->exercises_count; j++) {
            free_files(&student->entries[j]);
            free(student->entries[j].folder);
            free(student->entries[j].note);
        }
        free(student->entries);
        free(student->name);
        free(student->safe);
        free(student->note);
    }
    for (size_t i = 0; i < class->ignored_count; i++)
        free(class->ignored[i]);
    free(class->ignored);
    free(class->students);
    free(class);
}
