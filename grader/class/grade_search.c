/* All that one student handed in, searched. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "grader/base/workdir.h"
#include "grader/class/grade_find_internal.h"
#include "grader/class/layout.h"
#include "grader/class/unpack.h"

enum {
    MOST_WRAPPERS = 3,
    MOST_SHOWN = 5,
    MOST_TOPS = 40, /* folders and archives of one student */
    MOST_ARCHIVES = 20,
    MOST_REFUSED = 2, /* of them: more of the kind are not opened */
    MOST_NESTED = 2,  /* archives in archives */
    MOST_PATH = 2048,
    MOST_FILE = 1 << 20,
};

/* ---- one student ---- */

/* A folder where a student's files may lie. */
struct top {
    int folder;      /* that the path begins at */
    unsigned nested; /* in so many archives */
    char path[MOST_PATH];
};

struct search {
    struct finding_class *f;
    struct grade_student *student;
    struct top tops[MOST_TOPS];
    size_t count;
    struct listing *shown; /* of the last place where something else was */
    struct workdir *stage; /* what is unpacked; NULL until there is some */
    int stage_fd;
    unsigned staged;
    struct unpack_used used;
    unsigned refused; /* files and archives */
    bool unreadable, full;
};

static bool is_open(const struct grade_entry *entry)
{
    return entry->found == FOUND_NOTHING && !entry->note;
}

/* Nothing but stubs: what else there is counts before them. */
static bool is_weak(const struct grade_entry *entry)
{
    return entry->found == FOUND_FILES && entry->untouched;
}

static bool lacks_some(const struct search *s)
{
    for (size_t i = 0; i < s->f->class->exercises_count; i++)
        if (find_asks(s->f, i) && (is_open(&s->student->entries[i]) || is_weak(&s->student->entries[i])))
            return true;
    return false;
}

bool find_has_some(const struct grade_class *class, const struct grade_student *student)
{
    for (size_t i = 0; i < class->exercises_count; i++)
        if (student->entries[i].found != FOUND_NOTHING || student->entries[i].note)
            return true;
    return false;
}

static void add_top(struct search *s, int folder, const char *path, unsigned nested)
{
    if (s->count == MOST_TOPS || strlen(path) >= sizeof s->tops[0].path)
        return;
    struct top *top = &s->tops[s->count++];
    top->folder = folder;
    top->nested = nested;
    memcpy(top->path, path, strlen(path) + 1);
}

/* A new folder of the stage; its name is good until the next call. NULL, which is noted. */
static const char *stage_folder(struct search *s)
{
    static char name[16];
    struct error err = {"nothing can be unpacked here"};
    if (!s->stage && (s->stage = workdir_create(&err)))
        s->stage_fd = open(workdir_path(s->stage), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(name, sizeof name, "%u", s->staged++);
    if (s->stage_fd >= 0 && mkdirat(s->stage_fd, name, 0700) == 0)
        return name;
    find_note(&s->student->note, "%s", err.text);
    s->unreadable = true;
    return NULL;
}

/* A file that could not be read: such as none may be, or this machine's fault. */
static void fail(struct search *s, int why)
{
    if (why == EFBIG || why == ELOOP || why == EINVAL || why == EISDIR || why == EEXIST)
        s->refused++;
    else
        s->unreadable = true;
}

/* Unpack an archive to a folder of its own. */
static void add_archive(struct search *s, int folder, const char *path, const char *called, unsigned nested)
{
    struct error said = {""};
    if (s->staged >= MOST_ARCHIVES || s->refused >= MOST_REFUSED) {
        if (!s->full)
            find_note(&s->student->note, "%s and what comes after it is not opened: too many archives",
                      find_shown(called));
        s->full = true;
        return;
    }
    const char *name = stage_folder(s);
    char *place = name ? textfile_join(workdir_path(s->stage), name) : NULL;
    int fd = place ? grade_open(folder, path, (size_t)unpack_student.archive) : -1;
    if (fd >= 0) {
        const enum unpacked how = unpack(fd, place, &unpack_student, &s->used, &said);
        close(fd);
        if (how == UNPACK_DONE)
            add_top(s, s->stage_fd, name, nested);
        s->refused += how == UNPACK_REFUSED;
        s->unreadable = s->unreadable || how == UNPACK_FAILED;
    } else if (place && errno != EISDIR) {
        const int why = errno;
        if (why == EFBIG)
            error_set(&said, "is larger than the %u MiB that are unpacked",
                      (unsigned)(unpack_student.archive >> 20));
        else
            error_set(&said, "cannot be read: %s", strerror(why));
        fail(s, why);
    }
    if (*said.text)
        find_note(&s->student->note, "%s %s", find_shown(called), said.text);
    free(place);
}

static void add_archives(struct search *s, const struct top *top, const char *path,
                         const struct listing *listing)
{
    const int folder = top->folder;
    const unsigned nested = top->nested;
    for (size_t i = 0; i < listing->names.count; i++) {
        const char *name = listing->names.item[i];
        char *inner = unpack_is_archive(name) ? find_join(path, name) : NULL;
        if (inner && nested < MOST_NESTED)
            add_archive(s, folder, inner, name, nested + 1);
        else if (inner)
            find_note(&s->student->note, "%s is not opened: it lies in an archive in an archive",
                      find_shown(name));
        free(inner);
    }
}

static void free_entry(struct grade_entry *entry)
{
    find_free_files(entry);
    free(entry->folder);
    free(entry->note);
}

/* In place of untouched stubs, what an answer of the same exercise is. */
static void find_better(struct search *s, size_t exercise, const char *own, const char *path)
{
    struct grade_entry *entry = &s->student->entries[exercise], other = {0};
    s->f->beside_stub = true;
    find_entry(s->f, s->f->class->exercises[exercise], own, path, &other);
    s->f->beside_stub = false;
    if (other.found == FOUND_UNREADABLE || (other.found == FOUND_FILES && !other.untouched)) {
        find_note(&other.note, "the untouched stub in %s does not count",
                  find_shown(entry->folder ? entry->folder : "."));
        const struct grade_entry stubs = *entry;
        *entry = other;
        other = stubs;
    } else if (other.found == FOUND_NOTHING && other.note &&
               (!entry->note || !strstr(entry->note, other.note))) {
        find_note(&entry->note, "%s", other.note);
    }
    free_entry(&other);
}

/* What is not found yet, at one place. *weak: nothing but untouched stubs. */
static bool find_at(struct search *s, const char *own, const char *path, bool *weak)
{
    bool any = false;
    *weak = true;
    for (size_t i = 0; i < s->f->class->exercises_count; i++) {
        struct grade_entry *entry = &s->student->entries[i];
        if (!find_asks(s->f, i) || !(is_open(entry) || is_weak(entry)))
            continue;
        if (is_weak(entry))
            find_better(s, i, own, path);
        else
            find_entry(s->f, s->f->class->exercises[i], own, path, entry);
        any = any || !is_open(entry);
        *weak = *weak && (is_open(entry) || is_weak(entry));
    }
    return any;
}

/* Is a folder called so where the one above is searched? */
static bool is_looked_into(const struct search *s, const char *name)
{
    bool is = strcmp(name, "work") == 0 || strcmp(name, "exercises") == 0;
    for (size_t i = 0; !is && i < s->f->class->exercises_count; i++)
        is = find_is_called(name, s->f->class->exercises[i]) != 0;
    return is;
}

/* Below the folder, or below a single folder in it, as archives are often packed. */
static void find_in(struct search *s, size_t index, bool archives)
{
    char *path = strdup(s->tops[index].path);
    for (unsigned depth = 0; path && depth <= MOST_WRAPPERS; depth++) {
        const struct top *top = &s->tops[index];
        s->f->folder = top->folder;
        struct listing *listing = find_list(top->folder, path);
        char *deeper = NULL;
        if (!listing) {
            s->f->failed = true;
        } else if (listing->error) {
            if (!s->f->renamed)
                find_note(&s->student->note, "%s: cannot be read: %s", find_shown(path),
                          strerror(listing->error));
            s->unreadable = true;
        } else {
            bool weak;
            const bool any = find_at(s, top->path, path, &weak);
            if (archives && lacks_some(s))
                add_archives(s, top, path, listing);
            if (listing->folders == 1 && depth < MOST_WRAPPERS &&
                (!any || (weak && !is_looked_into(s, listing->folder))))
                deeper = find_join(path, listing->folder);
            if (!any && !deeper && (listing->names.count > 0 || !s->shown)) {
                find_free_listing(s->shown);
                s->shown = listing;
                listing = NULL;
            }
        }
        find_free_listing(listing);
        free(path);
        path = deeper;
    }
    free(path);
}

static bool has_like(const struct listing *listing, const char *stem)
{
    for (size_t i = 0; i < listing->names.count; i++)
        if (strcasestr(listing->names.item[i], stem))
            return true;
    return false;
}

static bool is_closed_archive(const char *name)
{
    static const char *const endings[] = {".rar", ".7z"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length > size && strcasecmp(name + length - size, endings[i]) == 0)
            return true;
    }
    return false;
}

/* What is of an exercise that was graded before is nothing odd. */
static bool has_graded_before(struct search *s)
{
    bool has = false;
    for (size_t e = 0; !has && e < s->f->class->exercises_count; e++) {
        for (size_t i = 0; !find_asks(s->f, e) && !has && i < s->count; i++) {
            struct grade_entry other = {0};
            s->f->folder = s->tops[i].folder;
            find_entry(s->f, s->f->class->exercises[e], s->tops[i].path, s->tops[i].path, &other);
            has = other.found != FOUND_NOTHING;
            free_entry(&other);
        }
    }
    return has;
}

/* Nothing of any exercise: what is there instead, for the one who has to find out why. */
static void say_what_is_there(struct search *s)
{
    const struct listing *listing = s->shown;
    const struct grade_class *class = s->f->class;
    struct grade_student *student = s->student;
    unsigned expected = 0;
    if (!listing)
        return;
    if (listing->names.count == 0) {
        find_note(&student->note, "the folder is empty");
        return;
    }
    for (size_t i = 0; i < listing->names.count && i < MOST_SHOWN; i++)
        find_note(&student->note, "%s%s", i == 0 ? "nothing that belongs to an exercise; there is: " : "",
                  find_shown(listing->names.item[i]));
    if (listing->names.count > MOST_SHOWN)
        find_note(&student->note, "and %zu more%s", listing->names.count - MOST_SHOWN,
                  listing->names.count == FIND_LISTED ? " at least" : "");
    /* first those that something there is called like */
    for (unsigned like = 2; like-- > 0;)
        for (size_t e = 0; e < class->exercises_count; e++)
            for (unsigned i = 0;
                 find_asks(s->f, e) && i < class->exercises[e]->sources_count && expected < MOST_SHOWN; i++)
                if (has_like(listing, class->exercises[e]->sources[i]) == (like == 1))
                    find_note(&student->note, "%s%s.c",
                              expected++ == 0 ? "files are called for example " : "",
                              class->exercises[e]->sources[i]);
    for (size_t i = 0; i < listing->names.count; i++)
        if (is_closed_archive(listing->names.item[i]))
            find_note(&student->note, "%s is an archive of a kind that is not opened: .zip and .tar.gz are",
                      find_shown(listing->names.item[i]));
}

static void mark_open(struct search *s, enum grade_found found)
{
    for (size_t i = 0; i < s->f->class->exercises_count; i++)
        if (find_asks(s->f, i) && is_open(&s->student->entries[i]))
            s->student->entries[i].found = found;
}

/* Something of the student's could not be looked at, whatever it holds: what was found beside it may not be
 * what counts. */
static void mark_unreadable(struct search *s)
{
    for (size_t i = 0; i < s->f->class->exercises_count; i++) {
        struct grade_entry *entry = &s->student->entries[i];
        if (!find_asks(s->f, i))
            continue;
        find_free_files(entry);
        entry->found = FOUND_UNREADABLE;
    }
}

/* In all places, those that are found on the way too; first what is called as it should be. */
static void search_tops(struct search *s, bool archives)
{
    for (size_t i = 0; i < s->count; i++)
        find_in(s, i, archives);
    s->f->renamed = true;
    for (size_t i = 0; i < s->count && lacks_some(s); i++)
        find_in(s, i, false);
    s->f->renamed = false;
    if (s->f->fault)
        find_note(&s->student->note, "what was handed in cannot all be read on this machine: %s",
                  strerror(s->f->fault));
    if (s->unreadable || s->f->fault) {
        mark_unreadable(s);
        return;
    }
    if (find_has_some(s->f->class, s->student)) {
        if (s->refused)
            find_note(&s->student->note, "what was handed in beside it is graded");
        return;
    }
    if (s->refused)
        mark_open(s, FOUND_REFUSED);
    else if (!has_graded_before(s))
        say_what_is_there(s);
}

static void end_search(struct search *s)
{
    find_free_listing(s->shown);
    if (s->stage_fd >= 0)
        close(s->stage_fd);
    workdir_destroy(s->stage);
}

/* ---- flat files ---- */

/* Is there the same file of a later attempt? Those stand first. */
static bool is_outdated(const struct handed *handed, size_t part)
{
    char *first = layout_first_name(handed->parts[part].as);
    const char *name = first ? first : handed->parts[part].as;
    bool found = false;
    for (size_t i = 0; i < part && !found; i++) {
        char *other = layout_first_name(handed->parts[i].as);
        found = handed->parts[i].kind != HANDED_FOLDER &&
                handed->parts[i].order > handed->parts[part].order &&
                strcmp(other ? other : handed->parts[i].as, name) == 0;
        free(other);
    }
    free(first);
    return found;
}

static void copy_file(struct search *s, int root, const struct handed_part *part, const char *folder)
{
    size_t size;
    char *to = find_join(folder, part->as);
    char *data = to ? grade_read(root, part->path, MOST_FILE, &size) : NULL;
    int why = errno;
    int fd = data ? openat(s->stage_fd, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    if (data && (fd < 0 || !textfile_write(fd, data, size)))
        why = errno;
    else if (data)
        why = 0;
    if (why) {
        fail(s, why);
        find_note(&s->student->note, "%s: %s", find_shown(part->as),
                  why == EFBIG ? "larger than 1 MiB" : strerror(why));
    }
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && why) /* half a file is no file */
        unlinkat(s->stage_fd, to, 0);
    free(data);
    free(to);
}

/* Archives come after files: what lies there as it is counts. */
static void add_parts(struct search *s, int root, const struct handed *handed)
{
    const char *folder = NULL;
    for (size_t i = 0; i < handed->parts_count; i++)
        if (handed->parts[i].kind == HANDED_FOLDER)
            add_top(s, root, handed->parts[i].path, 0);
    for (size_t i = 0; i < handed->parts_count; i++) {
        const struct handed_part *part = &handed->parts[i];
        if (part->kind != HANDED_FILE)
            continue;
        if (is_outdated(handed, i)) {
            find_note(&s->student->note, "%s was handed in again: the latest counts", find_shown(part->as));
        } else if (folder || (folder = stage_folder(s))) {
            if (s->count == 0 || s->tops[s->count - 1].folder != s->stage_fd)
                add_top(s, s->stage_fd, folder, 0);
            copy_file(s, root, part, s->tops[s->count - 1].path);
        }
    }
    for (size_t i = 0; i < handed->parts_count; i++) {
        const struct handed_part *part = &handed->parts[i];
        if (part->kind != HANDED_ARCHIVE)
            continue;
        if (is_outdated(handed, i))
            find_note(&s->student->note, "%s was handed in again: the latest counts", find_shown(part->as));
        else
            add_archive(s, root, part->path, part->as, 0);
    }
}

void find_student(struct finding_class *f, struct grade_student *student, const struct handed *handed)
{
    struct search s = {.f = f, .student = student, .count = 0, .stage_fd = -1};
    const int root = f->folder;
    f->fault = 0;
    add_parts(&s, root, handed);
    search_tops(&s, true);
    end_search(&s);
    f->folder = root;
}

void find_student_at(struct finding_class *f, struct grade_student *student, const char *path)
{
    struct search s = {.f = f, .student = student, .count = 0, .stage_fd = -1};
    const int root = f->folder;
    f->fault = 0;
    add_top(&s, root, path, 0);
    search_tops(&s, false);
    end_search(&s);
    f->folder = root;
}
