/* Which of a student's files count. */
#include "grader/build_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/textfile.h"

/* The names that a stem can have, per ISA: its own assembly, its own C, C for all. */
enum form { FORM_ISA_ASM, FORM_ISA_C, FORM_C, FORM_COUNT };
enum state { ABSENT, UNTOUCHED, EDITED };

static char *form_name(const char *folder, const char *stem, enum isa isa, enum form form)
{
    char *name = NULL;
    int length;
    if (form == FORM_C)
        length = asprintf(&name, "%s/%s.c", folder, stem);
    else
        length =
            asprintf(&name, "%s/%s/%s.%s", folder, isa_name(isa), stem, form == FORM_ISA_ASM ? "S" : "c");
    return length < 0 ? NULL : name;
}

static bool same_content(const char *path, const char *original)
{
    struct error ignored;
    size_t size = 0, original_size = 0;
    char *mine = textfile_read(path, SOURCE_LIMIT, &size, &ignored);
    char *theirs = textfile_read(original, SOURCE_LIMIT, &original_size, &ignored);
    bool same = mine && theirs && size == original_size && memcmp(mine, theirs, size) == 0;
    free(mine);
    free(theirs);
    return same;
}

/* What cannot be read (a folder, a FIFO, a link to nothing) counts as edited: the build then says what it is.
 */
static enum state state_of(const struct exercise *exercise, const char *folder, const char *stem,
                           enum isa isa, enum form form)
{
    char originals[4096];
    struct stat info;
    enum state state = ABSENT;
    snprintf(originals, sizeof originals, "%s/original", exercise->folder);
    char *path = form_name(folder, stem, isa, form), *original = form_name(originals, stem, isa, form);
    if (path && original && lstat(path, &info) == 0)
        state = same_content(path, original) ? UNTOUCHED : EDITED;
    free(path);
    free(original);
    return state;
}

static void note_add(struct selection *selection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note_add(struct selection *selection, const char *format, ...)
{
    size_t length = strlen(selection->note);
    va_list args;
    va_start(args, format);
    vsnprintf(selection->note + length, sizeof selection->note - length, format, args);
    va_end(args);
}

/* "a, b and c" of the forms of a stem that are in `state`. */
static void note_forms(struct selection *selection, const char *folder, const char *stem, enum isa isa,
                       const enum state states[FORM_COUNT], enum state state)
{
    unsigned left = 0, done = 0;
    for (enum form form = 0; form < FORM_COUNT; form++)
        left += states[form] == state;
    for (enum form form = 0; form < FORM_COUNT; form++) {
        if (states[form] != state)
            continue;
        char *name = form_name(folder, stem, isa, form);
        note_add(selection, "%s%s", done == 0 ? "" : left == 1 ? " and " : ", ", name ? name : "?");
        free(name);
        done++;
        left--;
    }
}

static bool take(struct selection *selection, char *path, enum form form)
{
    if (!path)
        return false;
    selection->paths[selection->count++] = path;
    selection->isa_specific |= form != FORM_C;
    return true;
}

static void forget_paths(struct selection *selection)
{
    for (unsigned i = 0; i < selection->count; i++)
        free(selection->paths[i]);
    selection->count = 0;
}

static void say_missing(struct selection *selection, const struct exercise *exercise, const char *folder,
                        const char *stem, enum isa isa)
{
    selection->choice = CHOICE_MISSING;
    forget_paths(selection);
    selection->note[0] = '\0';
    struct stat info;
    if (stat(folder, &info) != 0) {
        note_add(selection, "%s: %s", folder, strerror(errno));
        return;
    }
    note_add(selection, "expected %s.c or %s/%s.S in %s, found neither", stem, isa_name(isa), stem, folder);
    for (enum isa other = 0; other < ISA_COUNT; other++) {
        for (enum form form = FORM_ISA_ASM; other != isa && form <= FORM_ISA_C; form++) {
            if (state_of(exercise, folder, stem, other, form) != ABSENT)
                note_add(selection, " (%s/%s.%s is not used on %s)", isa_name(other), stem,
                         form == FORM_ISA_ASM ? "S" : "c", isa_name(isa));
        }
    }
}

/* The student may have edited a file for the other ISA and wonder why nothing changes. */
static void note_other_isas(struct selection *selection, const struct exercise *exercise, const char *folder,
                            enum isa isa)
{
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        for (enum isa other = 0; other < ISA_COUNT; other++) {
            for (enum form form = FORM_ISA_ASM; other != isa && form <= FORM_ISA_C; form++) {
                const char *stem = exercise->sources[i];
                if (state_of(exercise, folder, stem, other, form) == EDITED)
                    note_add(selection, "; you edited %s/%s.%s; that is not used on %s", isa_name(other),
                             stem, form == FORM_ISA_ASM ? "S" : "c", isa_name(isa));
            }
        }
    }
}

static void note_paths(struct selection *selection)
{
    selection->note[0] = '\0';
    for (unsigned i = 0; i < selection->count; i++)
        note_add(selection, "%s%s", i == 0 ? "" : ", ", selection->paths[i]);
}

static bool selection_start(const struct exercise *exercise, struct selection *selection)
{
    *selection = (struct selection){.choice = CHOICE_OK};
    selection->paths = calloc(exercise->sources_count + 1U, sizeof *selection->paths);
    if (selection->paths)
        return true;
    selection->choice = CHOICE_MISSING;
    note_add(selection, "out of memory");
    return false;
}

void build_select(const struct exercise *exercise, const char *folder, enum isa isa,
                  struct selection *selection)
{
    bool any_edited = false;
    if (!selection_start(exercise, selection))
        return;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const char *stem = exercise->sources[i];
        enum state states[FORM_COUNT];
        unsigned edited = 0;
        /* Untouched, C for all goes first; edited, only one can be. */
        enum form chosen = FORM_COUNT;
        for (enum form form = 0; form < FORM_COUNT; form++) {
            states[form] = state_of(exercise, folder, stem, isa, form);
            edited += states[form] == EDITED;
        }
        if (edited > 1) {
            selection->choice = CHOICE_BOTH_EDITED;
            forget_paths(selection);
            selection->note[0] = '\0';
            note_add(selection, "you edited ");
            note_forms(selection, folder, stem, isa, states, EDITED);
            note_add(selection,
                     "; only one of them can count. Copy the other back from exercises/%s/original",
                     exercise->id);
            return;
        }
        for (enum form form = 0; form < FORM_COUNT; form++) {
            if (states[form] == EDITED)
                chosen = form;
        }
        if (chosen == FORM_COUNT && states[FORM_C] == UNTOUCHED)
            chosen = FORM_C;
        for (enum form form = 0; chosen == FORM_COUNT && form < FORM_C; form++) {
            if (states[form] == UNTOUCHED)
                chosen = form;
        }
        if (chosen == FORM_COUNT || !take(selection, form_name(folder, stem, isa, chosen), chosen)) {
            say_missing(selection, exercise, folder, stem, isa);
            return;
        }
        any_edited |= states[chosen] == EDITED;
    }
    note_paths(selection);
    if (!any_edited) {
        selection->choice = CHOICE_UNTOUCHED;
        note_add(selection, " %s as %s came", selection->count > 1 ? "are" : "is",
                 selection->count > 1 ? "they" : "it");
        note_other_isas(selection, exercise, folder, isa);
    }
}

void build_select_reference(const struct exercise *exercise, enum isa isa, struct selection *selection)
{
    if (!selection_start(exercise, selection))
        return;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        const char *stem = exercise->sources[i];
        char *path = NULL;
        enum form form = 0;
        for (; form < FORM_COUNT; form++) {
            path = form_name(exercise->solution, stem, isa, form);
            if (path && access(path, F_OK) == 0)
                break;
            free(path);
            path = NULL;
        }
        if (!take(selection, path, form)) {
            say_missing(selection, exercise, exercise->solution, stem, isa);
            return;
        }
    }
    note_paths(selection);
}

void selection_free(struct selection *selection)
{
    if (selection->paths)
        forget_paths(selection);
    free(selection->paths);
    *selection = (struct selection){0};
}
