/* What a student has for one exercise. */
#include "grader/class/grade_find_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/strings.h"
#include "grader/exercise/stubs.h"

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

bool find_is_absent(int why)
{
    return why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG;
}

/* Could there be such a file? Only its name is asked for. */
static bool is_there(int folder, const char *path)
{
    int fd = grade_open(folder, path, SOURCE_LIMIT);
    if (fd >= 0)
        close(fd);
    return fd >= 0 || !find_is_absent(errno);
}

static void free_file(struct grade_file *file)
{
    free(file->name);
    free(file->path);
    free(file->data);
}

void find_free_files(struct grade_entry *entry)
{
    for (size_t i = 0; i < entry->files_count; i++)
        free_file(&entry->files[i]);
    free(entry->files);
    entry->files = NULL;
    entry->files_count = 0;
}

/* With `data`, which is the entry's from here on. */
static bool add_file(struct grade_entry *entry, const char *name, const char *path, char *data, size_t size)
{
    struct grade_file *more = realloc(entry->files, (entry->files_count + 1) * sizeof *more);
    struct sha256 hash = sha256_new();
    if (!more) {
        free(data);
        return false;
    }
    entry->files = more;
    struct grade_file *file = &entry->files[entry->files_count++];
    *file = (struct grade_file){
        .name = strdup(name), .path = path ? strdup(path) : NULL, .data = data, .size = size};
    sha256_bytes(&hash, data, size);
    sha256_text(&hash, file->hash);
    return file->name && (!path || file->path);
}

bool find_take_file(struct finding_class *f, struct grade_entry *entry, const char *base, const char *file,
                    const char *as, bool *taken)
{
    size_t size;
    const char *name = as ? as : file;
    char *path = find_join(base, file);
    errno = ENOMEM;
    char *data = path ? grade_read(f->folder, path, SOURCE_LIMIT, &size) : NULL;
    int why = errno;
    bool good = true;
    if (data) {
        *taken = true;
        good = add_file(entry, name, path, data, size);
        f->failed = f->failed || !good;
    } else if (!find_is_absent(why)) {
        entry->found = is_refusal(why) ? FOUND_REFUSED : FOUND_UNREADABLE;
        find_note(&entry->note, "%s %s", name, is_refusal(why) ? why_refused(why) : strerror(why));
        good = false;
    }
    free(path);
    return good;
}

enum state { STATE_ABSENT, STATE_STUB, STATE_EDITED };

/* What is such that it cannot be read counts as edited: it is told then. */
static enum state state_of(struct finding_class *f, const struct exercise *exercise, const char *base,
                           const char *file)
{
    size_t size;
    char *path = find_join(base, file);
    errno = ENOMEM;
    char *data = path ? grade_read(f->folder, path, SOURCE_LIMIT, &size) : NULL;
    enum state state = data ? (stub_is_text(exercise, data, size) ? STATE_STUB : STATE_EDITED)
                       : find_is_absent(errno) ? STATE_ABSENT
                                               : STATE_EDITED;
    free(data);
    free(path);
    return state;
}

/* The best of a stem's files in a folder that may count. `flat`: with those that services without folders
 * give. */
static enum state state_of_stem(struct finding_class *f, const struct exercise *exercise, const char *base,
                                const char *stem, bool flat)
{
    enum state best = STATE_ABSENT;
    for (unsigned i = 0; i < FORMS + (flat ? 1U : 0); i++) {
        char *name = i == FORMS || counts_for(i, f->isa) ? form_of(i, stem) : NULL;
        enum state state = name ? state_of(f, exercise, base, name) : STATE_ABSENT;
        best = state > best ? state : best;
        free(name);
    }
    return best;
}

bool find_is_stub(struct finding_class *f, const struct exercise *exercise, const char *base,
                  const char *file)
{
    return state_of(f, exercise, base, file) == STATE_STUB;
}

/* Those of the entry's files, from one on and but the last, that are as they came. */
static void drop_stubs(const struct exercise *exercise, struct grade_entry *entry, size_t from)
{
    for (size_t i = from; i + 1 < entry->files_count;) {
        struct grade_file *file = &entry->files[i];
        if (!stub_is_text(exercise, file->data, file->size)) {
            i++;
            continue;
        }
        find_note(&entry->note, "the untouched stub %s does not count", file->name);
        free_file(file);
        entry->files_count--;
        memmove(file, file + 1, (entry->files_count - i) * sizeof *file);
    }
}

/* An untouched stub is no answer: where one file is called nearly as it should be, that counts. */
static bool take_renamed(struct finding_class *f, const struct exercise *exercise, const char *const *bases,
                         size_t count, const char *top, const char *stem, struct grade_entry *entry,
                         size_t from, bool *any)
{
    bool taken = false;
    const bool beside = f->beside_stub;
    f->beside_stub = beside || *any;
    const bool good = find_renamed(f, exercise, bases, count, top, stem, entry, &taken);
    f->beside_stub = beside;
    if (taken && *any)
        drop_stubs(exercise, entry, from);
    *any = *any || taken;
    return good;
}

/* The last file of that name goes. */
static void drop_file(struct grade_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->files_count; i++) {
        if (strcmp(entry->files[i].name, name) != 0)
            continue;
        free_file(&entry->files[i]);
        entry->files_count--;
        memmove(&entry->files[i], &entry->files[i + 1], (entry->files_count - i) * sizeof *entry->files);
        return;
    }
}

/* Services that keep no folders give aarch64/clamp.S as clamp.S: it is taken where nothing else is, but for
 * stubs. */
static bool take_flat(struct finding_class *f, struct grade_entry *entry, const struct exercise *exercise,
                      const char *base, const char *stem, bool *taken)
{
    char *file = form_of(FORMS, stem), *name = NULL;
    bool good = file && asprintf(&name, "%s/%s", isa_name(f->isa), file) >= 0;
    enum state state = good ? state_of(f, exercise, base, file) : STATE_ABSENT;
    bool beside_edited = good && state_of_stem(f, exercise, base, stem, false) == STATE_EDITED;
    if (state == STATE_EDITED && beside_edited) {
        find_note(&entry->note, "%s is not used: it belongs into %s/", file, isa_name(f->isa));
    } else if (state == STATE_EDITED || (state == STATE_STUB && !*taken)) {
        drop_file(entry, name);
        good = find_take_file(f, entry, base, file, name, taken);
    }
    free(file);
    free(name);
    return good;
}

/* The stub's file in place of one that was not handed in. */
static bool take_stub(struct finding_class *f, const struct exercise *exercise, const char *stem,
                      struct grade_entry *entry)
{
    struct error ignored;
    for (unsigned i = FORMS; i-- > 0;) {
        size_t size;
        char *name = form_of(i, stem), *data = NULL;
        if (name && counts_for(i, f->isa))
            data = stub_read(exercise, name, &size, &ignored);
        bool taken = data != NULL;
        if (taken && !add_file(entry, name, NULL, data, size))
            f->failed = true;
        if (taken)
            find_note(&entry->note, "%s was not handed in: the stub stands in for it", name);
        free(name);
        if (taken)
            return true;
    }
    find_note(&entry->note, "%s was not handed in, and there is no stub of it", stem);
    return false;
}

static void hash_entry(const struct exercise *exercise, struct grade_entry *entry)
{
    struct sha256 hash = sha256_new();
    entry->untouched = entry->files_count > 0;
    for (size_t i = 0; i < entry->files_count; i++) {
        const struct grade_file *file = &entry->files[i];
        entry->untouched = entry->untouched && stub_is_text(exercise, file->data, file->size);
        sha256_words(&hash, entry->files[i].name);
        sha256_words(&hash, entry->files[i].hash);
    }
    sha256_text(&hash, entry->hash);
}

static const char *shown_base(const char *base, size_t skip)
{
    return base && strlen(base) > skip ? base + skip : ".";
}

/* The files of a stem in the folder that counts. False: nothing more can come of this entry. */
static bool take_stem(struct finding_class *f, const struct exercise *exercise, const char *base,
                      const char *stem, struct grade_entry *entry, bool *any)
{
    for (unsigned i = 0; i < FORMS; i++) {
        char *name = form_of(i, stem);
        bool taken = false, good = name && find_take_file(f, entry, base, name, NULL, &taken);
        *any = *any || (taken && counts_for(i, f->isa));
        free(name);
        if (!good)
            return false;
    }
    return take_flat(f, entry, exercise, base, stem, any);
}

/* For each stem the first of the folders where it is edited counts, else the first where there is a stub. */
static const char *base_of_stem(struct finding_class *f, const struct exercise *exercise,
                                const char *const *bases, size_t count, const char *stem)
{
    const char *stub = NULL;
    for (size_t i = 0; i < count; i++) {
        enum state state = state_of_stem(f, exercise, bases[i], stem, true);
        if (state == STATE_EDITED)
            return bases[i];
        if (state == STATE_STUB && !stub)
            stub = bases[i];
    }
    return stub ? stub : bases[0];
}

/* An answer in the other machine's assembly counts for nothing here, and whoever wrote it has to hear why. */
static void tell_other_isa(struct finding_class *f, const struct exercise *exercise, const char *const *bases,
                           size_t count, const char *stem, struct grade_entry *entry)
{
    for (size_t k = 0; k < count; k++)
        if (state_of_stem(f, exercise, bases[k], stem, true) == STATE_EDITED)
            return;
    for (size_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < FORMS; i++) {
            char *name = counts_for(i, f->isa) ? NULL : form_of(i, stem);
            if (name && state_of(f, exercise, bases[k], name) == STATE_EDITED)
                find_note(&entry->note,
                          "%s is not graded: %s is graded here, so the answer has to be in %s.c or %s/%s.S",
                          name, isa_name(f->isa), stem, isa_name(f->isa), stem);
            free(name);
        }
    }
}

/* Not all of them stubs that stand in? */
static bool has_real_file(const struct grade_entry *entry)
{
    for (size_t i = 0; i < entry->files_count; i++)
        if (entry->files[i].path)
            return true;
    return false;
}

/* Of `bases`, folders that have files of the exercise. `skip`: what of their names is the student's own. */
static void take_entry(struct finding_class *f, const struct exercise *exercise, const char *const *bases,
                       size_t count, const char *top, size_t skip, struct grade_entry *entry)
{
    const char *first = NULL;
    entry->found = FOUND_FILES;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const char *stem = exercise->sources[i];
        const char *base = base_of_stem(f, exercise, bases, count, stem);
        const bool edited = state_of_stem(f, exercise, base, stem, true) == STATE_EDITED;
        const size_t from = entry->files_count;
        bool any = false;
        first = first ? first : base;
        if (!take_stem(f, exercise, base, stem, entry, &any) ||
            (!edited && !take_renamed(f, exercise, bases, count, top, stem, entry, from, &any)))
            break;
        if (!any && !take_stub(f, exercise, stem, entry)) {
            entry->found = FOUND_NOTHING;
            break;
        }
        tell_other_isa(f, exercise, bases, count, stem, entry);
        for (size_t k = 0; k < count; k++) {
            if (bases[k] != base && state_of_stem(f, exercise, bases[k], stem, false) == STATE_EDITED)
                find_note(&entry->note, "there are files in %s, too: those in %s count",
                          find_shown(shown_base(bases[k], skip)), find_shown(shown_base(base, skip)));
        }
    }
    if (f->renamed && entry->found == FOUND_FILES && !has_real_file(entry)) { /* two for each: say which */
        find_free_files(entry);
        free(entry->note);
        *entry = (struct grade_entry){0};
        for (unsigned i = 0; i < exercise->sources_count; i++)
            find_renamed(f, exercise, bases, count, top, exercise->sources[i], entry, &(bool){false});
        return;
    }
    entry->folder = strdup(shown_base(first, skip));
    if (entry->found == FOUND_FILES)
        hash_entry(exercise, entry);
}

bool find_rivals(const struct finding_class *f, const struct exercise *exercise, size_t other)
{
    return f->class->exercises[other] != exercise && find_asks(f, other);
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
                if (find_rivals(f, exercise, j) &&
                    strcmp(class->exercises[j]->sources[k], exercise->sources[i]) == 0)
                    other = class->exercises[j];
        for (unsigned j = 0; j <= FORMS; j++) {
            char *name = form_of(j, exercise->sources[i]), *path = name ? find_join(base, name) : NULL;
            bool there = path && is_there(f->folder, path);
            if (there && other)
                find_note(note, "%s could be of %s or of %s: put it into the exercise's folder", name,
                          exercise->id, other->id);
            free(name);
            free(path);
            if (there)
                return !other;
        }
    }
    return false;
}

enum { PREFIXES = 3, NAMES = 5, BASES = PREFIXES * NAMES + 1 };

/* Where an exercise's files may lie below `top`; the last one is `top` itself. */
static void bases_of(const struct exercise *exercise, const char *top, char *bases[BASES])
{
    static const char *const prefixes[PREFIXES] = {"work", "exercises", ""};
    char number[16], padded[16], ex[24];
    snprintf(number, sizeof number, "%u", exercise->number);
    snprintf(padded, sizeof padded, "%02u", exercise->number);
    snprintf(ex, sizeof ex, "ex%u", exercise->number);
    const char *const names[NAMES] = {exercise->id, exercise->slug, number, padded, ex};
    unsigned count = 0;
    for (unsigned i = 0; i < PREFIXES; i++) {
        for (unsigned j = 0; j < NAMES; j++) {
            char *inner = find_join(prefixes[i], names[j]);
            bool twice = j == 3 && strcmp(number, padded) == 0;
            bases[count++] = inner && !twice ? find_join(top, inner) : NULL;
            free(inner);
        }
    }
    bases[count] = find_join(top, "");
}

static mode_t kind_of(struct finding_class *f, const char *path)
{
    struct stat info;
    if (fstatat(f->folder, path, &info, AT_SYMLINK_NOFOLLOW) == 0)
        return info.st_mode & S_IFMT;
    f->fault = find_is_absent(errno) || errno == ELOOP ? f->fault : errno;
    return 0;
}

void find_entry(struct finding_class *f, const struct exercise *exercise, const char *own, const char *top,
                struct grade_entry *entry)
{
    char *bases[BASES];
    const char *used[BASES];
    size_t skip = strlen(own) + 1, count = 0;
    bases_of(exercise, top, bases);
    for (unsigned i = 0; i < BASES; i++) {
        if (!bases[i])
            continue;
        bool direct = strcmp(bases[i], top) == 0;
        mode_t kind = direct ? S_IFDIR : kind_of(f, bases[i]);
        if (kind == S_IFLNK) { /* told, or it would look as if there were nothing */
            find_note(&entry->note, "%s is a link: links are not followed", find_shown(bases[i] + skip));
            entry->found = FOUND_REFUSED;
        }
        if (kind == S_IFDIR && (f->renamed ? find_has_renamed(f, exercise, bases[i], direct)
                                           : has_any(f, exercise, bases[i], direct, &entry->note)))
            used[count++] = bases[i];
    }
    if (count > 0)
        take_entry(f, exercise, used, count, top, skip, entry);
    for (unsigned i = 0; i < BASES; i++)
        free(bases[i]);
}
