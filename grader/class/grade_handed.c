/* A folder of names, to who handed in what. */
#include "grader/class/grade_find_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/strings.h"
#include "grader/base/when.h"
#include "grader/class/layout.h"
#include "grader/class/unpack.h"

enum { MOST_METADATA = 256 << 20 };
static const char metadata_name[] = "submission_metadata.yml";

struct names {
    struct strings list;
    enum layout_kind *kinds; /* one a name */
};

/* ---- the list ---- */

static void free_part(struct handed_part *part)
{
    free(part->path);
    free(part->as);
}

static void free_student(struct handed *student)
{
    for (size_t i = 0; i < student->parts_count; i++)
        free_part(&student->parts[i]);
    free(student->parts);
    free(student->id);
    free(student->name);
    free(student->time);
}

void handed_free(struct handed_class *handed)
{
    for (size_t i = 0; i < handed->count; i++)
        free_student(&handed->students[i]);
    free(handed->students);
    *handed = (struct handed_class){0};
}

static void ignore(struct finding_class *f, const char *name, const char *why)
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

/* A student with one part; NULL when memory is short, which is noted. */
static struct handed *add(struct finding_class *f, struct handed_class *handed, const char *id,
                          const char *name, const char *time, enum handed_kind kind, const char *folder,
                          const char *entry, const char *as)
{
    struct handed *more = realloc(handed->students, (handed->count + 1) * sizeof *more);
    struct handed_part *part = calloc(1, sizeof *part);
    if (more)
        handed->students = more;
    if (!more || !part) {
        free(part);
        f->failed = true;
        return NULL;
    }
    *part = (struct handed_part){.kind = kind, .path = find_join(folder, entry), .as = strdup(as)};
    struct handed *student = &handed->students[handed->count++];
    *student = (struct handed){
        .id = strdup(id), .name = strdup(name), .time = strdup(time), .parts = part, .parts_count = 1};
    f->failed = f->failed || !part->path || !part->as || !student->id || !student->name || !student->time;
    return f->failed ? NULL : student;
}

/* ---- those of one id and name together ---- */

static int compare_students(const void *a, const void *b)
{
    const struct handed *left = a, *right = b;
    const int order = strcmp(left->id, right->id), names = strcmp(left->name, right->name);
    return order ? order : names ? names : strcmp(left->parts[0].path, right->parts[0].path);
}

/* One id with two names is nobody's in particular: each name keeps its files, under an id that has it in
 * front. */
static bool tell_apart(struct handed_class *handed)
{
    for (size_t i = 0, end; i < handed->count; i = end) {
        for (end = i + 1;
             end < handed->count && strcmp(handed->students[end].id, handed->students[i].id) == 0;)
            end++;
        for (size_t k = i; end > i + 1 && k < end; k++) {
            struct handed *one = &handed->students[k];
            char *own;
            if (asprintf(&own, "%s_%s", one->name, one->id) < 0)
                return false;
            free(one->id);
            one->id = own;
            one->id_is_shared = true;
        }
    }
    return true;
}

/* Folders first, then what came last, then by name. */
static int compare_parts(const void *a, const void *b)
{
    const struct handed_part *left = a, *right = b;
    const int order = (left->order < right->order) - (left->order > right->order);
    if ((left->kind == HANDED_FOLDER) != (right->kind == HANDED_FOLDER))
        return left->kind == HANDED_FOLDER ? -1 : 1;
    return order ? order : strcmp(left->path, right->path);
}

/* All parts of the second go to the first. */
static bool join(struct handed *to, struct handed *from)
{
    const size_t count = to->parts_count + from->parts_count;
    struct handed_part *more = realloc(to->parts, count * sizeof *more);
    if (!more)
        return false;
    to->parts = more;
    memcpy(to->parts + to->parts_count, from->parts, from->parts_count * sizeof *more);
    to->parts_count = count;
    from->parts_count = 0;
    to->late = to->late || from->late;
    free_student(from);
    return true;
}

/* Files, which were handed in together? */
static bool is_one_submission(const struct handed *one, const struct handed *other)
{
    return one->parts[0].kind != HANDED_FOLDER && other->parts[0].kind != HANDED_FOLDER &&
           strcmp(one->time, other->time) == 0;
}

/* Who has two submissions that are whole: the later one counts. */
static void take_later(struct handed *one, struct handed *other)
{
    time_t when = 0, of_other = 0;
    when_read(one->time, &when);
    when_read(other->time, &of_other);
    if (of_other >= when) {
        const struct handed kept = *one;
        *one = *other;
        *other = kept;
    }
    one->earlier += other->earlier + 1;
    free_student(other);
}

static void sort(struct finding_class *f, struct handed_class *handed)
{
    const struct layout_service *service = layout_service_of(handed->service);
    size_t kept = 0;
    if (handed->count == 0)
        return;
    qsort(handed->students, handed->count, sizeof *handed->students, compare_students);
    for (size_t i = 1; i < handed->count; i++) {
        struct handed *last = &handed->students[kept], *one = &handed->students[i];
        if (strcmp(last->id, one->id) != 0 || strcmp(last->name, one->name) != 0) {
            handed->students[++kept] = *one;
        } else if (service && service->whole && !is_one_submission(last, one)) {
            take_later(last, one);
        } else if (!join(last, one)) {
            free_student(one);
            f->failed = true;
        }
    }
    handed->count = kept + 1;
    f->failed = !tell_apart(handed) || f->failed;
    for (size_t i = 0; i < handed->count; i++)
        qsort(handed->students[i].parts, handed->students[i].parts_count, sizeof *handed->students[i].parts,
              compare_parts);
}

/* ---- names ---- */

static bool list_names(struct finding_class *f, const char *folder, struct names *names, struct error *err)
{
    int fd = openat(f->folder, *folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    if (!directory) {
        error_set(err, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (errno = 0; (entry = readdir(directory)); errno = 0)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !layout_is_noise(entry->d_name))
            strings_add(&names->list, "%s", entry->d_name);
    int fault = errno; /* whoever is not listed would have handed nothing in */
    strings_sort(&names->list);
    names->kinds = calloc(names->list.count + 1, sizeof *names->kinds);
    for (size_t i = 0; names->kinds && i < names->list.count; i++) {
        struct stat info = {0};
        if (fstatat(fd, names->list.item[i], &info, AT_SYMLINK_NOFOLLOW) != 0)
            fault = errno;
        /* a link is told of as a submission that is one */
        names->kinds[i] = S_ISDIR(info.st_mode) || S_ISLNK(info.st_mode) ? LAYOUT_FOLDER : LAYOUT_FILE;
    }
    closedir(directory);
    if (fault)
        return error_set(err, "%s", strerror(fault));
    return (names->kinds && !names->list.failed) || error_set(err, "out of memory");
}

static void read_name(struct finding_class *f, struct handed_class *handed, const char *folder,
                      const char *name, enum layout_kind kind)
{
    struct layout_name read;
    if (*name == '.') {
        ignore(f, name, "hidden; call it otherwise if it is a submission");
    } else if (!layout_read(handed->service, name, kind, &read) && !layout_read(NULL, name, kind, &read)) {
        char why[80];
        snprintf(why, sizeof why, "not called as in an export of %s", handed->service ? handed->service : "");
        ignore(f, name, handed->service ? why : "no folder and no archive, so no submission");
    } else {
        const char *file = *read.file ? read.file : name;
        struct handed *one = add(f, handed, read.id, read.name, read.time,
                                 kind == LAYOUT_FOLDER     ? HANDED_FOLDER
                                 : unpack_is_archive(file) ? HANDED_ARCHIVE
                                                           : HANDED_FILE,
                                 folder, name, file);
        if (one) {
            one->parts[0].order = read.order;
            one->late = read.late;
        }
        layout_free(&read);
    }
}

static void read_names(struct finding_class *f, struct handed_class *handed, const char *folder,
                       const struct names *names)
{
    handed->service = layout_service((const char *const *)names->list.item, names->kinds, names->list.count);
    for (size_t i = 0; i < names->list.count && !f->failed; i++)
        read_name(f, handed, folder, names->list.item[i], names->kinds[i]);
    if (handed->service && strcmp(handed->service, "Blackboard") == 0 && !f->failed)
        f->failed = !blackboard_name_students(f->folder, handed);
}

/* ---- Gradescope ---- */

static void read_submission(struct finding_class *f, struct handed_class *handed, const char *folder,
                            const char *name, const struct gradescope *gradescope)
{
    bool any = false;
    for (size_t i = 0; i < gradescope->count && !f->failed; i++) {
        const struct gradescope_submitter *by = &gradescope->submitters[i];
        if (strcmp(by->folder, name) != 0)
            continue;
        struct handed *one = add(f, handed, by->id, by->name, by->time, HANDED_FOLDER, folder, name, name);
        if (one)
            one->attempt = by->attempt;
        any = true;
    }
    if (!any && !f->failed)
        add(f, handed, name, name, "", HANDED_FOLDER, folder, name, name);
}

static bool read_gradescope(struct finding_class *f, struct handed_class *handed, const char *folder,
                            const struct names *names, struct error *err)
{
    struct gradescope gradescope = {0};
    struct error why = {"out of memory"};
    size_t size;
    char *path = find_join(folder, metadata_name);
    char *text = path ? grade_read(f->folder, path, MOST_METADATA, &size) : NULL;
    if (path && !text)
        error_set(&why, "%s", strerror(errno));
    const bool good = text && gradescope_read(text, size, &gradescope, &why);
    if (!good)
        error_set(err, "%s: %.500s", metadata_name, why.text);
    handed->service = "Gradescope";
    for (size_t i = 0; good && i < names->list.count && !f->failed; i++) {
        const char *name = names->list.item[i];
        if (strcmp(name, metadata_name) == 0)
            continue;
        if (names->kinds[i] == LAYOUT_FOLDER && *name != '.')
            read_submission(f, handed, folder, name, &gradescope);
        else
            ignore(f, name, "not called as in an export of Gradescope");
    }
    gradescope_free(&gradescope);
    free(text);
    free(path);
    return good;
}

/* Two platforms' names in one folder: their ids could be anybody's, and half would be taken for no
 * submissions. What fits the leading one is its: a student's file may be called as another platform would. */
static bool is_of_one_platform(const struct names *names, bool gradescope, struct error *err)
{
    const char *const *list = (const char *const *)names->list.item;
    const char *name, *other;
    size_t found;
    const char *service = layout_leading(list, names->kinds, names->list.count, &found, &name);
    if (gradescope) {
        service = "Gradescope";
        found = 1;
        name = metadata_name;
    }
    for (size_t i = 0; i < LAYOUT_SERVICES; i++) {
        const char *by = layout_services[i].name;
        const size_t count = layout_fitting(by, service, list, names->kinds, names->list.count, &other);
        if (count > 0)
            return error_set(
                err,
                "expected the export of one platform, found %zu name%s as %s gives them (`%s`) and %zu "
                "as %s does (`%s`): put each platform's into a folder of its own, and grade it into an "
                "OUT of its own",
                found, found == 1 ? "" : "s", service, find_shown(name), count, by, find_shown(other));
    }
    return true;
}

bool handed_read(struct finding_class *f, const char *folder, struct handed_class *handed, struct error *err)
{
    struct names names = {0};
    *handed = (struct handed_class){0};
    bool good = list_names(f, folder, &names, err);
    const bool gradescope = good && strings_has(&names.list, metadata_name);
    if (good && !is_of_one_platform(&names, gradescope, err)) {
        handed->service = "several"; /* an export it is */
        good = false;
    } else if (gradescope) {
        good = read_gradescope(f, handed, folder, &names, err);
    } else if (good) {
        read_names(f, handed, folder, &names);
    }
    if (good && !f->failed)
        sort(f, handed);
    if (good && f->failed)
        good = error_set(err, "out of memory");
    strings_free(&names.list);
    free(names.kinds);
    return good;
}
