#include "grader/class/grade_find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/class/grade_find_internal.h"

enum { MOST_WRAPPERS = 3, MOST_SHOWN = 5, MOST_LISTED = 2000 };

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
        find_note(&student->note, "the folder is empty");
        return;
    }
    for (size_t i = 0; i < listing->count && i < MOST_SHOWN; i++)
        find_note(&student->note, "%s%s", i == 0 ? "nothing that belongs to an exercise; there is: " : "",
                  find_shown(listing->names[i]));
    if (listing->count > MOST_SHOWN)
        find_note(&student->note, "and %zu more%s", listing->count - MOST_SHOWN,
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
            find_note(&student->note, "%s: cannot be read: %s", find_shown(top), strerror(listing->error));
            mark_all(f, student, FOUND_UNREADABLE);
        } else if (!find_at(f, student, top)) {
            done = listing->folders != 1 || depth == MOST_WRAPPERS;
            char *deeper = done ? NULL : find_join(top, listing->folder);
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
    if (asprintf(&text, "%s: %s", find_shown(name), why) >= 0)
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
            find_note(&student->note, "the submission is a link: links are not followed");
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
            find_free_files(&student->entries[j]);
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
