#include "grader/class/grade_find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/base/workdir.h"
#include "grader/class/grade_find_internal.h"
#include "grader/class/unpack.h"

enum { MOST_DESCENTS = 3 };

/* ---- students ---- */

static void free_students(struct grade_class *class)
{
    for (size_t i = 0; i < class->students_count; i++) {
        struct grade_student *student = &class->students[i];
        for (size_t j = 0; student->entries && j < class->exercises_count; j++) {
            find_free_files(&student->entries[j]);
            free(student->entries[j].folder);
            free(student->entries[j].note);
        }
        free(student->entries);
        free(student->name);
        free(student->id);
        free(student->platform_id);
        free(student->handed_in);
        free(student->safe);
        free(student->time);
        free(student->email);
        free(student->section);
        free(student->roster_id);
        free(student->roster_name);
        free(student->note);
    }
    free(class->students);
    class->students = NULL;
    class->students_count = 0;
}

static void free_ignored(struct grade_class *class)
{
    for (size_t i = 0; i < class->ignored_count; i++)
        free(class->ignored[i]);
    free(class->ignored);
    class->ignored = NULL;
    class->ignored_count = 0;
}

/* ---- one student's own folder in place of the class's ---- */

unsigned find_is_called(const char *id, const struct exercise *exercise)
{
    char numbers[3][24];
    if (strcmp(id, exercise->id) == 0 || strcmp(id, exercise->slug) == 0)
        return 1;
    snprintf(numbers[0], sizeof numbers[0], "%u", exercise->number);
    snprintf(numbers[1], sizeof numbers[1], "%02u", exercise->number);
    snprintf(numbers[2], sizeof numbers[2], "ex%u", exercise->number);
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(id, numbers[i]) == 0)
            return 2;
    return 0;
}

/* Is a "student" a folder of one's own: work/, exercises/, or that of an exercise, with files of no other? 2:
 * by a number alone, which can be a student's as well. */
static unsigned is_own(const struct grade_class *class, const struct grade_student *student)
{
    unsigned called = 0;
    if (strcmp(student->id, "work") == 0 || strcmp(student->id, "exercises") == 0)
        return 1;
    for (size_t i = 0; i < class->exercises_count; i++) {
        const unsigned by = find_is_called(student->id, class->exercises[i]);
        if (by && (student->entries[i].found != FOUND_NOTHING || student->entries[i].note))
            called = by;
        else if (student->entries[i].found != FOUND_NOTHING)
            return 0;
    }
    return called;
}

/* Files of exercises beside the folders, where none of these has any, or nothing but folders of exercises. */
static bool is_one_students(struct finding_class *f, const char *folder)
{
    const struct grade_class *class = f->class;
    size_t found = 0, named = 0;
    for (size_t i = 0; i < class->students_count; i++) {
        if (!find_has_some(class, &class->students[i]))
            continue;
        const unsigned own = is_own(class, &class->students[i]);
        if (!own)
            return false;
        found++;
        named += own == 1;
    }
    if (found > 0)
        return named > 0 || found > 1;
    struct grade_class alone = {.exercises = class->exercises, .exercises_count = class->exercises_count};
    struct finding_class one = {.class = &alone, .isa = f->isa, .folder = f->folder, .before = f->before};
    struct grade_student *student = grade_add_student(&alone, ".", ".", "");
    if (student)
        find_student_at(&one, student, *folder ? folder : ".");
    const bool is = student && find_has_some(&alone, student) && student->entries;
    free_students(&alone);
    return is;
}

/* ---- the class ---- */

/* The first of a kind that was left out of a folder of the student's; NULL: nothing was. */
static const char *left_out_of(const struct finding_class *f, const struct handed *handed,
                               enum unpack_left_out kind)
{
    const char *end = f->left_out ? f->left_out + f->left_out_size : NULL;
    for (const char *one = f->left_out; one < end; one += strlen(one) + 1) {
        for (size_t i = 0; *one == (char)kind && i < handed->parts_count; i++) {
            const size_t length = strlen(handed->parts[i].path);
            if (strncmp(one + 1, handed->parts[i].path, length) == 0 && one[1 + length] == '/')
                return one + 1 + length + 1;
        }
    }
    return NULL;
}

/* When the class was unpacked. (What an archive of the student's own has is said where that is opened.) */
static void say_left_out(const struct finding_class *f, const struct handed *handed,
                         struct grade_student *student)
{
    static const enum unpack_left_out kinds[] = {UNPACK_LINK, UNPACK_DEEP};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *path = left_out_of(f, handed, kinds[i]);
        if (path)
            find_note(&student->note, "the class's archive holds %s, which is %s: those are left out",
                      find_shown(path), unpack_why(kinds[i]));
    }
}

static void search_one(struct finding_class *f, const struct handed *handed, const char *service)
{
    struct stat info;
    struct grade_student *student = grade_add_student(f->class, handed->id, handed->name, handed->time);
    if (!student || !(student->handed_in = strdup(handed->parts[0].path))) {
        f->failed = true;
        return;
    }
    if (handed->earlier > 0)
        find_note(&student->note, "in %u submissions: the latest counts", handed->earlier + 1);
    if (handed->id_is_shared)
        find_note(&student->note, "%s has this id with another name too: look whose the submission is",
                  service);
    if (handed->late)
        find_note(&student->note, "%s marks it as late", service);
    if (handed->parts[0].kind == HANDED_FOLDER &&
        fstatat(f->folder, handed->parts[0].path, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode)) {
        find_note(&student->note, "the submission is a link: links are not followed");
        for (size_t i = 0; i < f->class->exercises_count; i++)
            student->entries[i].found = find_asks(f, i) ? FOUND_REFUSED : FOUND_NOTHING;
    } else {
        find_student(f, student, handed);
        say_left_out(f, handed, student);
    }
}

static bool found_some(const struct grade_class *class)
{
    for (size_t i = 0; i < class->students_count; i++)
        if (find_has_some(class, &class->students[i]))
            return true;
    return false;
}

/* Files, or what cannot be told: that was nobody's to refuse. */
static bool found_more_than_refused(const struct grade_class *class)
{
    for (size_t i = 0; i < class->students_count; i++)
        for (size_t j = 0; j < class->exercises_count; j++)
            if (class->students[i].entries[j].found == FOUND_FILES ||
                class->students[i].entries[j].found == FOUND_UNREADABLE)
                return true;
    return false;
}

static void search_all(struct finding_class *f, const struct handed_class *handed)
{
    f->class->service = handed->service;
    for (size_t i = 0; i < handed->count && !f->failed; i++)
        search_one(f, &handed->students[i], handed->service);
}

/* By its names alone, whatever else is wrong with it. What that ignores is told when it is read again. */
static bool is_export(struct finding_class *f, const char *folder)
{
    struct handed_class handed;
    struct error ignored;
    struct grade_class aside = {0}, *class = f->class;
    f->class = &aside;
    handed_read(f, folder, &handed, &ignored);
    const bool is = handed.service;
    f->class = class;
    free_ignored(&aside);
    handed_free(&handed);
    return is;
}

enum inside { INSIDE_FOUND, INSIDE_WRONG, INSIDE_OTHER };

static bool find_below(struct finding_class *f, const char *folder, unsigned depth, struct error *err);

/* A folder in place of the one before. INSIDE_OTHER, without err, where only an export is asked for and it is
 * none. */
static enum inside find_in_folder(struct finding_class *f, const char *folder, unsigned depth,
                                  bool export_only, struct error *err)
{
    if (export_only && !is_export(f, folder))
        return INSIDE_OTHER;
    return find_below(f, folder, depth, err) ? INSIDE_FOUND : INSIDE_WRONG;
}

/* The same of an archive. Where only an export is asked for, one that is refused is none. */
static enum inside find_in_archive(struct finding_class *f, int archive, const char *name, unsigned depth,
                                   bool export_only, struct error *err)
{
    struct error said = {""};
    struct unpack_used used = {0};
    struct workdir *place = workdir_create(err);
    const struct finding_class before = *f;
    enum inside found = INSIDE_WRONG;
    if (!place)
        return found;
    const enum unpacked how = unpack(archive, workdir_path(place), &unpack_class, &used, &said);
    char *const left_out = unpack_take_left_out(workdir_path(place), &f->left_out_size);
    f->left_out = left_out;
    f->packed = true;
    f->folder = open(workdir_path(place), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (how == UNPACK_DONE && f->folder >= 0) {
        found = find_in_folder(f, "", depth, export_only, err);
    } else {
        error_set(err, "%.300s %.500s", find_shown(name), *said.text ? said.text : strerror(errno));
        found = export_only && how == UNPACK_REFUSED ? INSIDE_OTHER : INSIDE_WRONG;
    }
    if (f->folder >= 0)
        close(f->folder);
    f->folder = before.folder;
    f->packed = before.packed;
    f->left_out = before.left_out;
    f->left_out_size = before.left_out_size;
    free(left_out);
    workdir_destroy(place);
    return found;
}

/* What lies alone in a folder: the class can be in it. */
static enum inside find_inside(struct finding_class *f, const struct handed_part *part, unsigned depth,
                               bool export_only, struct error *err)
{
    if (part->kind == HANDED_FOLDER)
        return find_in_folder(f, part->path, depth, export_only, err);
    const int fd = grade_open(f->folder, part->path, (size_t)unpack_class.bytes);
    if (fd < 0)
        return INSIDE_OTHER;
    const enum inside found = find_in_archive(f, fd, part->as, depth, export_only, err);
    close(fd);
    return found;
}

/* One folder alone, or archive, with no files of an exercise in it, be it that it was refused as one
 * student's: are there students in it? */
static bool look_deeper(struct finding_class *f, const struct handed_part *part, unsigned depth)
{
    struct grade_class here = *f->class;
    f->class->students = NULL;
    f->class->ignored = NULL;
    f->class->students_count = f->class->ignored_count = 0;
    f->class->wrappers = (struct strings){0};
    char *const unknown = f->unknown;
    struct error ignored;
    const bool deeper = find_inside(f, part, depth, false, &ignored) == INSIDE_FOUND &&
                        found_some(f->class) && !f->own && f->class->students_count > 1;
    struct grade_class other = deeper ? here : *f->class;
    f->own = false;
    if (!deeper) {
        *f->class = here;
        if (f->unknown != unknown)
            free(f->unknown);
        f->unknown = unknown;
    }
    free_students(&other);
    free_ignored(&other);
    strings_free(&other.wrappers);
    return deeper;
}

/* The class is in what lies alone. Where whose that is is not known, an instructor can name it. */
static void take_wrapper(struct finding_class *f, const struct handed *handed)
{
    const char *file = textfile_base_name(handed->parts[0].path);
    strings_add(&f->class->wrappers, "%s", file);
    f->failed = f->failed || f->class->wrappers.failed;
    if (f->alone && !f->packed && !f->unknown && grade_alone_is(f->alone, handed->id, file) == ALONE_UNKNOWN)
        f->unknown = strdup(handed->parts[0].path);
}

static bool is_known_student(const struct finding_class *f, const struct handed *handed)
{
    return f->alone &&
           grade_alone_is(f->alone, handed->id, textfile_base_name(handed->parts[0].path)) == ALONE_STUDENT;
}

static bool find_below(struct finding_class *f, const char *folder, unsigned depth, struct error *err)
{
    struct handed_class handed;
    bool good = handed_read(f, folder, &handed, err);
    const bool alone = good && handed.count == 1 && !handed.service && depth < MOST_DESCENTS &&
                       !is_known_student(f, handed.students);
    const struct handed_part *part = alone ? &handed.students[0].parts[0] : NULL;
    const enum inside inside = alone ? find_inside(f, part, depth + 1, true, err) : INSIDE_OTHER;
    if (inside == INSIDE_OTHER && good)
        search_all(f, &handed);
    if (inside == INSIDE_OTHER && good && !handed.service && !f->failed)
        f->own = is_one_students(f, folder);
    if (inside == INSIDE_FOUND || (inside == INSIDE_OTHER && alone && !f->failed && !f->own &&
                                   !found_more_than_refused(f->class) && look_deeper(f, part, depth + 1)))
        take_wrapper(f, handed.students);
    handed_free(&handed);
    return good && inside != INSIDE_WRONG;
}

/* ---- all ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool find_all(struct finding_class *f, const char *path, struct error *err)
{
    struct grade_class *class = f->class;
    struct error why = {""};
    struct stat info;
    bool good = false;
    const char *name = textfile_base_name(path);
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        error_set(&why, "%s: expected a folder with one folder for each student", strerror(errno));
    } else if (S_ISDIR(info.st_mode)) {
        f->folder = fd;
        good = find_below(f, "", 0, &why);
    } else if (S_ISREG(info.st_mode) && unpack_is_archive(name)) {
        f->folder = -1;
        good = find_in_archive(f, fd, name, 0, false, &why) == INSIDE_FOUND;
    } else {
        error_set(&why,
                  "expected a folder with one folder for each student, or an archive of it (.zip, .tar, "
                  ".tar.gz), found another file");
    }
    if (good && f->failed)
        good = error_set(&why, "out of memory");
    else if (good && f->unknown)
        good = error_set(
            &why,
            "%s lies there alone, and OUT has grades of nobody who is called so: if the class is in it, "
            "give that as SUBMISSIONS; if it is one student's, lay another folder beside it, which may "
            "be empty",
            find_shown(f->unknown));
    else if (good && f->own)
        good = error_set(&why, "this is one student's own work: expected a folder with one folder for each "
                               "student, as the one above it may be");
    else if (good && class->students_count == 0)
        good = error_set(&why, "expected one folder for each student, found none%s%s",
                         class->ignored_count ? "; there is " : "",
                         class->ignored_count ? class->ignored[0] : "");
    if (fd >= 0)
        close(fd);
    if (!good)
        return error_set(err, "SUBMISSIONS: %.400s: %.500s", path, why.text);
    grade_sort_students(class);
    if (class->ignored_count > 0)
        qsort(class->ignored, class->ignored_count, sizeof *class->ignored, compare_names);
    return true;
}

static bool find_one(struct finding_class *f, const char *folder, struct error *err)
{
    f->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0)
        return error_set(err, "%s: %s: expected the folder of a submission", folder, strerror(errno));
    struct grade_student *student = grade_add_student(f->class, ".", ".", "");
    if (student)
        find_student_at(f, student, ".");
    close(f->folder);
    return (student && !f->failed) || error_set(err, "out of memory");
}

static struct grade_class *find(bool (*how)(struct finding_class *f, const char *folder, struct error *err),
                                const char *folder, const struct exercise *const *exercises,
                                const bool *before, const struct grade_alone *alone, size_t count,
                                enum isa isa, struct error *err)
{
    struct grade_class *class = calloc(1, sizeof *class);
    if (!class) {
        error_set(err, "out of memory");
        return NULL;
    }
    class->exercises = exercises;
    class->exercises_count = count;
    struct finding_class finding = {.class = class, .isa = isa, .before = before, .alone = alone};
    const bool good = how(&finding, folder, err);
    free(finding.unknown);
    if (good)
        return class;
    grade_class_free(class);
    return NULL;
}

struct grade_class *grade_find(const char *folder, const struct exercise *const *exercises, size_t count,
                               enum isa isa, struct error *err)
{
    return find(find_all, folder, exercises, NULL, NULL, count, isa, err);
}

struct grade_class *grade_find_beside(const char *folder, const struct exercise *const *exercises,
                                      const bool *before, const struct grade_alone *alone, size_t count,
                                      enum isa isa, struct error *err)
{
    return find(find_all, folder, exercises, before, alone, count, isa, err);
}

struct grade_class *grade_find_one(const char *folder, const struct exercise *const *exercises, size_t count,
                                   enum isa isa, struct error *err)
{
    return find(find_one, folder, exercises, NULL, NULL, count, isa, err);
}

void grade_class_free(struct grade_class *class)
{
    if (!class)
        return;
    free_students(class);
    free_ignored(class);
    strings_free(&class->wrappers);
    free(class);
}
