/* Files that are called nearly as they should be: "clamp-1.c", "clamp (1).c", "Clamp_final.c" for clamp.c.
 * One such file is taken, and that is said; of two nobody can know which one is meant. */
#include "grader/class/grade_find_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_LOOKED_AT = 2000 };

struct candidates {
    unsigned count;
    char *file[2], *as; /* below the base; as what */
    const char *base;
    bool stubs; /* those too that are as they came */
};

/* Does the stem stand in the text as a word, with or without a number at its end? */
static bool has_word(const char *text, size_t length, const char *stem)
{
    const size_t size = strlen(stem);
    for (size_t at = 0; at + size <= length; at++) {
        size_t end = at + size;
        if (strncasecmp(text + at, stem, size) != 0 || (at > 0 && isalnum((unsigned char)text[at - 1])))
            continue;
        while (end < length && isdigit((unsigned char)text[end]))
            end++;
        if (end == length || !isalnum((unsigned char)text[end]))
            return true;
    }
    return false;
}

/* Could the name be meant for another file that this class asks for? In an exercise's own folder only its
 * files are asked for. */
static bool is_of_another(const struct finding_class *f, const struct exercise *exercise, const char *text,
                          size_t length, const char *stem, bool direct)
{
    const struct grade_class *class = f->class;
    for (size_t e = 0; e < class->exercises_count; e++) {
        const struct exercise *one = class->exercises[e];
        for (unsigned i = 0; find_asks(f, e) && i < one->sources_count && (direct || one == exercise); i++) {
            const char *other = one->sources[i];
            const bool itself = strcmp(other, stem) == 0;
            if (itself ? find_rivals(f, exercise, e)
                       : (has_word(text, length, other) && !has_word(stem, strlen(stem), other)))
                return true;
        }
    }
    return false;
}

/* 'c' or 'S', or 0. *length: that of the name without its ending. */
static char ending_of(const char *name, size_t *length)
{
    const char *end = strrchr(name, '.');
    const char kind = end && end[1] && !end[2] ? end[1] : '\0';
    *length = end ? (size_t)(end - name) : 0;
    return kind == 'c' || kind == 'C' ? 'c' : kind == 's' || kind == 'S' ? 'S' : '\0';
}

static void add(struct candidates *found, const char *base, const char *folder, const char *name, char *as)
{
    if (found->count < 2)
        found->file[found->count] = find_join(folder, name);
    if (found->count++ == 0) {
        found->base = base;
        found->as = as;
    } else {
        free(as);
    }
}

/* Those in one folder: `base` itself ("") or that of an ISA in it. */
static void look_in(struct finding_class *f, const struct exercise *exercise, const char *base,
                    const char *folder, const char *stem, bool direct, struct candidates *found)
{
    char *path = find_join(base, folder);
    int fd =
        path ? openat(f->folder, *path ? path : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    if (fd < 0 && path && !find_is_absent(errno) && errno != ELOOP)
        f->fault = errno;
    free(path);
    if (fd >= 0 && !directory)
        close(fd);
    errno = 0;
    for (unsigned i = 0; directory && i < MOST_LOOKED_AT && (entry = readdir(directory)); i++, errno = 0) {
        const char *name = entry->d_name;
        size_t length;
        char *as = NULL;
        const char kind = *name == '.' ? '\0' : ending_of(name, &length);
        if (!kind || !has_word(name, length, stem) ||
            is_of_another(f, exercise, name, length, stem, direct && !*folder))
            continue;
        char *inner = find_join(folder, name);
        const bool stub = inner && !found->stubs && find_is_stub(f, exercise, base, inner);
        free(inner);
        if (stub)
            continue;
        const bool plain = kind == 'c' && !*folder;
        if (asprintf(&as, "%s%s%s.%c", plain ? "" : isa_name(f->isa), plain ? "" : "/", stem, kind) < 0)
            f->failed = true;
        else
            add(found, base, folder, name, as);
    }
    f->fault = directory && !entry && errno ? errno : f->fault;
    if (directory)
        closedir(directory);
}

static void look(struct finding_class *f, const struct exercise *exercise, const char *base, const char *stem,
                 bool direct, struct candidates *found)
{
    look_in(f, exercise, base, "", stem, direct, found);
    look_in(f, exercise, base, isa_name(f->isa), stem, direct, found);
}

static void free_candidates(struct candidates *found)
{
    free(found->file[0]);
    free(found->file[1]);
    free(found->as);
}

bool find_has_renamed(struct finding_class *f, const struct exercise *exercise, const char *base, bool direct)
{
    struct candidates found = {.stubs = !f->beside_stub};
    for (unsigned i = 0; i < exercise->sources_count; i++)
        look(f, exercise, base, exercise->sources[i], direct, &found);
    free_candidates(&found);
    return found.count > 0;
}

bool find_renamed(struct finding_class *f, const struct exercise *exercise, const char *const *bases,
                  size_t count, const char *top, const char *stem, struct grade_entry *entry, bool *taken)
{
    struct candidates found = {0};
    bool good = true;
    /* a copy of the stub is taken where there is nothing else */
    const unsigned passes = f->beside_stub ? 1 : 2;
    for (unsigned pass = 0; pass < passes && found.count == 0; pass++) {
        found.stubs = pass > 0;
        for (size_t i = 0; i < count; i++)
            look(f, exercise, bases[i], stem, strcmp(bases[i], top) == 0, &found);
    }
    /* readdir knows no order */
    const bool second =
        found.count > 1 && found.file[0] && found.file[1] && strcmp(found.file[0], found.file[1]) > 0;
    if (found.count > 1) {
        find_note(&entry->note, "%s%s and %s could be %s.c: hand in one, by that name",
                  found.count > 2 ? "among others " : "",
                  find_shown(found.file[second] ? found.file[second] : "?"),
                  find_shown(found.file[!second] ? found.file[!second] : "?"), stem);
    } else if (found.count == 1 && found.file[0]) {
        good = find_take_file(f, entry, found.base, found.file[0], found.as, taken);
        if (*taken)
            find_note(&entry->note, "%s is taken for %s", find_shown(found.file[0]), found.as);
    }
    free_candidates(&found);
    return good;
}
